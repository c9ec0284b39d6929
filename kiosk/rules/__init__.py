"""The rules room: hands, houses, and what every bet is owed. Pure: no clocks, no hardware.

``settle`` settles, ``explain`` says why, ``describe`` names a hand, ``generate`` deals rounds.
"""

from kiosk.rules.houses import HouseError, HouseFile, list_houses, load_house, load_house_file
from kiosk.rules.options import House
from kiosk.rules.settle import settle_case

__all__ = [
    "House",
    "HouseError",
    "HouseFile",
    "list_houses",
    "load_house",
    "load_house_file",
    "settle_case",
]
