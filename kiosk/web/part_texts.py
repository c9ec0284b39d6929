"""Lines that other rooms say in English of themselves, named for the catalogue.

Tests hold them together with what those rooms really say. A gap named ``line`` or ``advice`` is
a line of its own.
"""

from __future__ import annotations

from kiosk.web.texts import msgid

DECK = (
    msgid("deck not checked"),
    msgid("deck {name}: checked with other weights, check it again"),
    msgid("deck {name}: {share} read, below the limit of {limit}: not used"),
    msgid("deck {name}: {share} read, not used"),
    msgid("its cards are found at {share} of the looks only"),
    msgid("too often named as another card: {cards}"),
    msgid("deck {name}: {share} read"),
    msgid("deck {name}: too little of it was kept, show it again"),
    msgid("the deck {name} is being shown"),
    msgid("no deck is being shown"),
    msgid("not yet shown twice: {cards}"),
    msgid("name: expected letters, digits, spaces, dots and dashes"),
    msgid("the deck is being checked: wait for its figures"),
    msgid("that card is no longer asked about"),
)

CAMERA = (
    msgid("the recording is over"),
    msgid("the camera's reader process ended"),
    msgid("the camera does not open"),
    msgid("the camera gives no more pictures"),
    msgid("pictures come faster than a camera can take them"),
    msgid("the picture is black: is the lens covered?"),
    msgid("the picture stands still"),
    msgid("waiting for {source}"),
    msgid("{source}: no picture; is it plugged in and free?"),
    msgid("{source}: opened, but it gives no picture"),
    msgid("{source}: the camera stopped giving pictures"),
    msgid("{source}: no such camera; plug it in or choose another"),
    msgid("{source}: no such file"),
    msgid("the camera has given no picture yet"),
    msgid("there is no picture of the table yet"),
)

MODEL = (
    msgid(
        "{path} is missing: the installation is incomplete, install the program again",
    ),
)

STORAGE = (
    msgid("the record is opening"),
    msgid("The disk is full: the record in {path} cannot be written"),
    msgid("make room on that disk; what waits is stored by itself then"),
    msgid("The record in {path} cannot be written: the disk or folder is read-only"),
    msgid("make it writable for the user who runs the kiosk"),
    msgid("The record in {path} is locked by another program"),
    msgid("close the program that holds it open"),
    msgid("The record in {path} is damaged ({detail})"),
    msgid(
        "keep the file as it is, move it away and restart; 'kiosk audit verify' says what is left"
    ),
    msgid("{path} is not a record of this program ({detail})"),
    msgid("choose another file for the record"),
    msgid("The record in {path} was written by a newer version of this program"),
    msgid("update the program"),
    msgid("The record in {path} has the form of an older version and cannot be changed here"),
    msgid("start the kiosk once with it: that brings it up to date"),
    msgid("There is no record in {path} yet"),
    msgid("start the kiosk with this data folder first, or name another one with --data"),
    msgid("The record {path} was moved or deleted while the kiosk runs"),
    msgid("put it back, or restart the kiosk to begin a new one"),
    msgid("An entry could not be kept: neither {path} nor memory had room for it"),
    msgid("make room on the disk"),
    msgid("The kiosk stopped before an entry was stored"),
    msgid("it waits in {path} and is stored at the next start"),
    msgid("Another kiosk is using the record in {path}"),
    msgid("stop it, or give this one its own data folder with --data"),
    msgid("The record server {path} does not take entries ({detail})"),
    msgid("they wait on this kiosk and are sent once it does; check the network and the server"),
    msgid("The record server {path} holds other entries under this kiosk's name ({detail})"),
    msgid("give this kiosk a name of its own"),
    msgid("The record server {path} cannot be used: the package psycopg is not installed"),
    msgid("install it: pip install 'psycopg[binary]'"),
    msgid("The folder {path} cannot be used ({detail})"),
    msgid("name a folder with --data that can be written"),
    msgid("{path} does not name a record ({detail})"),
    msgid("give a file or postgresql://USER@HOST/DATABASE"),
    msgid("The record in {path} cannot be used ({detail})"),
    msgid("check the disk that holds it"),
)
"""As in ``kiosk.record.errors``."""

PAGES = (
    msgid("there is nothing at {path}"),
    msgid("the body is too large"),
    msgid("something failed inside the kiosk; the log of the kiosk says what"),
    msgid("no hand '{hand}' is recorded"),
    msgid("hand {hand} is disputed already"),
    msgid("hand {hand} is not disputed"),
    msgid("no rule card of this hash is recorded"),
    msgid("this kiosk sends to no pit's server (--record)"),
    msgid("this picture is not kept any more"),
    msgid("there is no such picture now"),
    msgid("that card is no longer in the picture"),
    msgid("{count} misread pictures are kept already: {path}"),
    msgid("house: there is no house '{house}'"),
)

WHOLE = (
    msgid("{line} ({waiting} entries wait, {lost} lost)"),
    msgid("{line} ({waiting} entries wait)"),
    msgid("not stored yet: {line}"),
)

TEXTS = (*WHOLE, *DECK, *CAMERA, *MODEL, *STORAGE, *PAGES)
"""The first that fits a line is taken."""
