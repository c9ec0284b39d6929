"""Texts of the questions: gettext msgids in English with named gaps."""

from __future__ import annotations

TEXTS = {
    "camera-lost": "The camera is lost. What has been read stays; enter missing cards by hand.",
    "stale": "The picture is old. What has been read stays; nothing new is taken from it.",
    "moved": "The camera or the table has moved. Check the layout before going on.",
    "trouble": "The picture cannot be trusted ({trouble}). Nothing new is taken from it.",
    "conflict": "{card} lies in two places ({zones}). Which one is it?",
    "stray": "A card lies outside every zone. Move it or dismiss this.",
    "border": "A card lies between two zones. Move it into its zone.",
    "outside": "Cards lie in zone {zone}, which is not in the game: {cards}.",
    "open-hand": "New cards lie on the table, but the last hand is still open. "
    "Finish it first: reveal, answer, overrule, or call a misdeal.",
    "short-clear": "New cards lie on the table, but the felt was clear only for a moment. "
    "Finish the last hand if it is open, then press Next.",
    "dealer-place": "dealer",
    "box-place": "box {box}",
    "entry-secret": "Box {box}: the entries do not fit the cards. Check bets and actions.",
    "entry": "Box {box}: {message}",
    "entry-round": "The entries of the boxes do not fit together: {message}",
}
"""Texts about the table as a whole, and about entries."""

BOX_TEXTS = {
    "doubt": "Box {box}: a card cannot be read for certain. Which is it?",
    "stale": "Box {box}: cards of the last hand still lie there. Take them away.",
    "leftover": "Box {box}: cards of the last hand still lie there: {cards}. Take them away.",
    "bodies": "Box {box}: {bodies} cards lie there, {read} are read. Is one covered?",
    "left": "Box {box}: {cards} was read and is gone. Is it covered, or was it taken away?",
    "unsteady": "Box {box}: the cards were never seen all at once. Does the hand stand?",
    "not-in-play": "Box {box} is not in play, but cards lie there.",
    "six": "Box {box}: six cards are seen, but no sixth card was entered.",
    "no-sixth": "Box {box}: a sixth card was entered, but five cards are seen.",
    "many": "Box {box}: {read} cards are read, {expected} belong there.",
    "count": "Box {box}: {read} of {expected} cards read. Is one covered?",
    "unread": "Box {box}: the cards were taken away unread. Did the box fold?",
    "changed": "Box {box}: {cards} is read now, but the hand was settled as {hand}.",
    "returned": "Box {box}: {cards} lies there, but the hand collected was {hand}.",
}

DEALER_TEXTS = {
    "doubt": "Dealer: a card cannot be read for certain. Which is it?",
    "stale": "Dealer: cards of the last hand still lie there. Take them away.",
    "leftover": "Dealer: cards of the last hand still lie there: {cards}. Take them away.",
    "bodies": "Dealer: {bodies} cards lie there, {read} are read. Is one covered?",
    "left": "Dealer: {cards} was read and is gone. Is it covered, or was it taken away?",
    "unsteady": "Dealer: the cards were never seen all at once. Does the hand stand?",
    "many": "Dealer: {read} cards are read, {expected} belong there.",
    "count": "Dealer: {read} of {expected} cards read. Is one covered?",
    "unread": "Dealer: the cards were taken away unread. Enter them, or void the hand.",
    "no-buyer": "Dealer: {cards} was drawn, but no box bought. Who buys?",
    "no-draw": "Dealer: a box bought, but no new card was read.",
    "discard-first": "Dealer: {cards} was drawn, but {discard} still lies there. Discard it.",
    "wrong-discard": "Dealer: {gone} was discarded, but the highest card is {discard}.",
    "no-purchase": "Dealer: {gone} was replaced by {cards}, but no box bought. Who buys?",
    "changed": "Dealer: {cards} is read now and does not belong to the hand.",
}

MSGIDS = tuple({*TEXTS.values(), *BOX_TEXTS.values(), *DEALER_TEXTS.values()})
"""Everything of this room that a catalogue translates."""
