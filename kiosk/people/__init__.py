"""People: accounts with roles, passwords and PINs, their sessions, and what each role may do.

Names live here and nowhere else: all other rooms keep a random person id (``p-…``), so that
erasing a person breaks no record. ``open_people`` opens the data folder's database.
"""

from kiosk.people.accounts import Person
from kiosk.people.database import PeopleError
from kiosk.people.people import People, open_people
from kiosk.people.roles import Role, may
from kiosk.people.sessions import Session

__all__ = ["People", "PeopleError", "Person", "Role", "Session", "may", "open_people"]
