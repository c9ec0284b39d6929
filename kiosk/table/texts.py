"""Texts of the questions: gettext msgids in English with named gaps."""

from __future__ import annotations

TEXTS = {
    "camera-lost": "The camera is lost. What has been read stays; enter missing cards by hand.",
    "camera-frozen": "The camera's picture stands still. "
    "What has been read stays; nothing new is taken from it.",
    "camera-black": "The camera's picture is black: is the lens covered? What has been read stays.",
    "camera-blocked": "The camera gives no more pictures. "
    "What has been read stays; enter missing cards by hand.",
    "camera-wild": "The camera's pictures come too fast to be true. What has been read stays.",
    "light-poor": "The light is too poor to read the cards. "
    "Switch the lamps on, or take away what shades the table.",
    "stale": "The picture is old. What has been read stays; nothing new is taken from it.",
    "camera-moved": "The camera or the table has moved. Check the layout before going on.",
    "enrolling": "A deck is being shown to the kiosk. No hand is dealt meanwhile.",
    "deck-refused": "This deck is read too badly to settle with. "
    "Show it again in better light or nearer, or use another deck.",
    "trouble": "The picture cannot be trusted ({trouble}). Nothing new is taken from it.",
    "conflict": "{card} lies in two places ({zones}). Which one is it?",
    "stray": "A card lies outside every zone. Move it or dismiss this.",
    "border": "A card lies between two zones. Move it into its zone.",
    "outside": "Cards lie in zone {zone}, which is not in the game: {cards}.",
    "open-hand": "New cards lie on the table, but the last hand is still open. "
    "Finish it first: reveal, answer, overrule, or call a misdeal.",
    "short-clear": "New cards lie on the table, but the felt was clear only for a moment. "
    "Finish the last hand if it is open, then press Next.",
    "entry-secret": "Box {box}: the entries do not fit the cards. Check bets and actions.",
    "entry": "Box {box}: {message}",
    "entry-round": "The entries of the boxes do not fit together: {message}",
}
"""Texts about the table as a whole, and about entries."""

ZONE_TEXTS = {
    "doubt": "{place}: a card cannot be read for certain. Which is it?",
    "stale": "{place}: cards of the last hand still lie there. Take them away.",
    "leftover": "{place}: cards of the last hand still lie there: {cards}. Take them away.",
    "bodies": "{place}: {bodies} cards lie there, {read} are read. Is one covered?",
    "left": "{place}: {cards} was read and is gone. Is it covered, or was it taken away?",
    "unsteady": "{place}: the cards were never seen all at once. Does the hand stand?",
    "many": "{place}: {read} cards are read, {expected} belong there.",
    "count": "{place}: {read} of {expected} cards read. Is one covered?",
}
"""Texts about any hand."""

BOX_TEXTS = {
    "not-in-play": "{place} is not in play, but cards lie there.",
    "six": "{place}: six cards are seen, but no sixth card was entered.",
    "no-sixth": "{place}: a sixth card was entered, but five cards are seen.",
    "unread": "{place}: the cards were taken away unread. Did the box fold?",
    "folded-unread": "{place} folded, but its side bet is settled by its cards. Which were they?",
    "early": "{place}: {cards} lay there before the dealer opened. Is it the hand after the "
    "exchange?",
    "exchange": "{place}: an exchange of {exchanged} was entered, but cards that are new: {gone}.",
    "changed": "{place}: {cards} is read now, but the hand was settled as {hand}.",
    "returned": "{place}: {cards} lies there, but the hand collected was {hand}.",
}

SHARED_TEXTS = {
    "unread": "{place}: the cards were taken away unread. Enter them, or void the hand.",
    "no-buyer": "{place}: {cards} was drawn, but no box bought. Who buys?",
    "no-draw": "{place}: a box bought, but no new card was read.",
    "discard-first": "{place}: {cards} was drawn, but {discard} still lies there. Discard it.",
    "wrong-discard": "{place}: {gone} was discarded, but the highest card is {discard}.",
    "no-purchase": "{place}: {gone} was replaced by {cards}, but no box bought. Who buys?",
    "changed": "{place}: {cards} is read now and does not belong to the hand.",
    "small-missing": "{place}: the dealer has a game, but no small hand is read. Deal two cards.",
    "small-missing-secret": "{place}: not read. Does the dealer's hand ask for it?",
    "small-not-due": "{place}: {cards} was dealt, but the dealer has no game.",
    "small-not-due-secret": "{place}: {cards} was dealt. Does the dealer's hand ask for it?",
    "flop": "{place}: the flop was not seen alone. Which three cards were dealt first?",
}
"""Texts about the dealer's hands and the board."""

HEADS = {
    "dealer": "Dealer",
    "dealer-small": "Dealer, small hand",
    "board": "Board",
    "box": "Box {box}",
    "box-small": "Box {box}, small hand",
}
"""A place at the head of a sentence."""

PLACES = {
    "dealer": "dealer",
    "dealer-small": "dealer's small hand",
    "board": "board",
    "box": "box {box}",
    "box-small": "box {box}, small hand",
}
"""A place inside a sentence."""

_TABLES = (TEXTS, ZONE_TEXTS, BOX_TEXTS, SHARED_TEXTS, HEADS, PLACES)

MSGIDS = tuple(dict.fromkeys(text for table in _TABLES for text in table.values()))
"""Everything of this room that a catalogue translates."""
