"""Options of a house in words: their names, and the words they may be."""

from __future__ import annotations

from kiosk.web.texts import WORDS, gettext, msgid, reader_text, word

GROUPS = {
    "": msgid("General"),
    "bet": msgid("Bet"),
    "ante": msgid("Ante"),
    "doubles": msgid("Double combinations"),
    "exchange": msgid("Exchange"),
    "sixth": msgid("Sixth card"),
    "extra_two": msgid("Two extra cards"),
    "draw": msgid("Exchange"),
    "insurance": msgid("Insurance"),
    "buy": msgid("Buying the game"),
    "sf_half": msgid("Half for a straight flush or better"),
    "bonus": msgid("Bonus"),
    "pair_plus": msgid("Pair plus"),
    "ante_bonus": msgid("Ante bonus"),
    "three": msgid("Ranking"),
    "split": msgid("Split poker"),
    "progressive": msgid("Progressive"),
    "cap": msgid("Table maximum"),
    "two_open": msgid("Two open cards"),
    "fee": msgid("Rounding of fees"),
    "pay": msgid("Pay tables"),
}
"""First part of an option's dotted name → heading."""

NAMES = {
    "max_boxes": msgid("Boxes at the table"),
    "max_boxes_per_player": msgid("Boxes of one player"),
    "bet.multiple": msgid("Bet, in antes"),
    "qualify": msgid("Dealer's lowest game"),
    "ante.on_win": msgid("Ante of a winning box"),
    "doubles.enabled": msgid("Second combinations are paid"),
    "doubles.duplicate_straight": msgid("A straight with a doubled rank"),
    "exchange.fees": msgid("Price of an exchange, in antes, by cards"),
    "sixth.fee": msgid("Price, in antes"),
    "extra_two.fee": msgid("Price, in antes"),
    "draw.exchange_and_sixth": msgid("Exchange and sixth card"),
    "draw.reshuffle_discards": msgid("Discards are shuffled in"),
    "insurance.enabled": msgid("Offered"),
    "insurance.min_combination": msgid("From this combination"),
    "insurance.max_fraction": msgid("At most this share of the payment"),
    "insurance.max_base": msgid("The share is taken of"),
    "insurance.when_beaten": msgid("When the dealer wins"),
    "insurance.when_tied": msgid("At a stand-off"),
    "insurance.ineligible": msgid("Without the right to it"),
    "buy.enabled": msgid("Offered"),
    "buy.fee": msgid("Price, in antes"),
    "buy.free_repeat": msgid("Free repeats"),
    "buy.failed_ante": msgid("Ante when the purchase fails"),
    "sf_half.enabled": msgid("Paid"),
    "sf_half.base": msgid("Half of"),
    "sf_half.pay_ante_on_no_game": msgid("Ante is paid as well"),
    "sf_half.doubles_bonus": msgid("The bonus is doubled"),
    "bonus.kind": msgid("Kind"),
    "bonus.ratio": msgid("Stake, as a share of the ante"),
    "bonus.overrides": msgid("Exceptions, ante = stake"),
    "bonus.round_unit": msgid("Rounded to"),
    "bonus.round_mode": msgid("Rounded"),
    "bonus.min": msgid("Smallest stake"),
    "bonus.max": msgid("Largest stake"),
    "bonus.max_of_ante": msgid("Largest stake, as a share of the ante"),
    "bonus.stake_on_win": msgid("Stake of a winning bonus"),
    "bonus.on_fold": msgid("After a fold"),
    "pair_plus.on_fold": msgid("After a fold"),
    "ante_bonus.when_beaten": msgid("When the dealer wins"),
    "three.ranking": msgid("Hands rank as"),
    "split.three_pair": msgid("Three pair"),
    "split.three_pair_ranks": msgid("Three pair ranks of its own"),
    "split.half_no_game_base": msgid("Half without a game is taken of"),
    "progressive.enabled": msgid("Offered"),
    "progressive.token": msgid("Value of a token"),
    "progressive.max_tokens": msgid("Tokens of one box"),
    "cap.includes_ante": msgid("Counts the ante"),
    "cap.includes_pair_plus": msgid("Counts pair plus"),
    "two_open.enabled": msgid("Allowed"),
    "two_open.min_table_ante": msgid("From this table ante"),
    "fee.round_unit": msgid("Rounded to"),
    "fee.round_mode": msgid("Rounded"),
    "pay.bet": msgid("Bet pays"),
    "pay.ante": msgid("Ante pays"),
    "pay.ante_no_game": msgid("Ante pays without a game"),
    "pay.bonus": msgid("Bonus pays"),
    "pay.ante_bonus": msgid("Ante bonus pays"),
    "pay.pair_plus": msgid("Pair plus pays"),
    "pay.progressive": msgid("Progressive pays (n, or n% of the meter)"),
}
"""Dotted name of an option → its name for people."""

CHOICES = {
    "true": msgid("yes"),
    "false": msgid("no"),
    "none": msgid("none"),
    "even": msgid("even money"),
    "table": msgid("by its table"),
    "straight": msgid("straight"),
    "pair": msgid("pair"),
    "either": msgid("one or the other"),
    "both": msgid("both"),
    "first": msgid("the first combination"),
    "return": msgid("goes back"),
    "lose": msgid("is lost"),
    "error": msgid("is a mistake to ask about"),
    "loop": msgid("as long as it fails"),
    "once": msgid("once"),
    "push": msgid("Stand-off"),
    "double-on-ace-king": msgid("doubled on ace-king"),
    "up": msgid("up"),
    "down": msgid("down"),
    "nearest": msgid("to the nearest"),
    "taken": msgid("is taken"),
    "kept": msgid("stays with the player"),
    "settle": msgid("is settled all the same"),
    "pay": msgid("is paid all the same"),
    "three_card": msgid("three cards"),
    "five_card": msgid("five cards"),
    "two-plus-one": msgid("pays as two pair and a pair"),
    "seven-cards": msgid("pays of seven cards"),
    "off": msgid("is not paid"),
    "ante": msgid("Ante"),
    "bet": msgid("Bet"),
    "deal": msgid("ante and bet"),
    "pair-of-aces": msgid("pair of aces"),
}
"""A word that an option may be → for people."""

TABLE = {
    "name": msgid("Name of the table"),
    "ante_min": msgid("Smallest ante"),
    "ante_max": msgid("Largest ante"),
    "max_payout": msgid("Most one box gets (none: no limit)"),
    "currency": msgid("Currency sign (empty: chips only)"),
    "chips": msgid("Chip values"),
    "order": msgid("Boxes are settled"),
}

MODES = {"training": msgid("Training: the dealer answers first"), "demo": msgid("Demo")}

ORDERS = {
    "last-first": msgid("from the last seat to the first"),
    "first-last": msgid("from the first seat to the last"),
}


def option_name(name: str) -> str:
    """An option in words."""
    return gettext(NAMES[name]) if name in NAMES else name


def group_name(group: str) -> str:
    """The heading of a group of options."""
    return gettext(GROUPS.get(group, group))


FACTS = {
    "mode": msgid("Mode"),
    "layout": msgid("Layout of the felt"),
    "source": msgid("Camera"),
    "panel": msgid("Button panel"),
    "data": msgid("Data folder"),
    "kiosk": msgid("Program"),
    "model": msgid("Card reader (hash)"),
    "weights": msgid("Weights"),
}
"""What ``/settings`` tells of the kiosk → its name."""

FACT_WORDS = {
    "sample": msgid("bundled recording"),
    "sim": msgid("simulated"),
    "none": msgid("none"),
    "shipped": msgid("those that ship"),
    "own": msgid("your own"),
}


def fact_name(name: str) -> str:
    """What is told of the kiosk."""
    return gettext(FACTS[name]) if name in FACTS else name


def fact_text(name: str, value: object) -> str:
    """Its value: in words where it is one of a few; addresses, files and numbers as they are."""
    text = "—" if value is None else str(value)
    if name == "mode":
        return gettext(MODES[text]) if text in MODES else text
    if name == "model":
        return reader_text(text)
    return gettext(FACT_WORDS[text]) if text in FACT_WORDS else text


def choice_name(slug: str) -> str:
    """A value of an option in words; a combination too; anything else as it is."""
    if slug in CHOICES:
        return gettext(CHOICES[slug])
    return word(slug) if slug in WORDS else slug
