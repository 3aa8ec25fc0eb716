"""Playing cards: what the numbers that games keep stand for, and their names (``S9``, ``H10``).

A card is 4 × rank + suit, 0…51: ranks rise from 2 to A, suits from ♦ over ♣ and ♥ to ♠, so that of
two cards the higher number is the better one wherever rank counts first and suits count at all.
Where suits are followed, cards are numbered by suit instead: 13 × suit + rank.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qipai.envs.fields import Codec, Field, Shape
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.rng import shuffle

SUITS = "DCHS"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARD_NAMES = tuple(suit + rank for rank in RANKS for suit in SUITS)
NAMES_BY_SUIT = tuple(suit + rank for suit in SUITS for rank in RANKS)
ACE = RANKS.index("A")
_SUITS = len(SUITS)
BIT = np.int64(1) << np.arange(len(CARD_NAMES))  # a card as a set of cards

_CARDS = {name: card for card, name in enumerate(CARD_NAMES)}


def card_name(card: int) -> str:
    """The name of a card 0…51; ValueError if there is none such."""
    if not 0 <= card < len(CARD_NAMES):
        raise ValueError(f"card {card} does not exist; cards are 0…{len(CARD_NAMES) - 1}")
    return CARD_NAMES[card]


def parse_card(name: str) -> int:
    """The card with this name; ValueError says how names are written."""
    try:
        return _CARDS[name]
    except KeyError:
        raise ValueError(
            f"{name!r} is no card; a card is a suit ({' '.join(SUITS)}) and a rank "
            f"({' '.join(RANKS)}), like S9 or H10"
        ) from None


_CODEC = Codec(encode=card_name, decode=parse_card)


def card_field(
    name: str,
    meaning: str,
    shape: Shape = (),
    *,
    lowest: int = 0,
    hidden: bool = False,
    kept: bool = False,
) -> Field:
    """A field of cards from ``lowest`` on; NONE where there is none."""
    return Field.number(
        name,
        len(CARD_NAMES) - 1,
        meaning,
        shape,
        low=lowest,
        empty=True,
        hidden=hidden,
        kept=kept,
        codec=_CODEC,
    )


def deck_contradiction(s: np.void, hands: Sequence[int]) -> str | None:
    """What can't be in the ``deck``, with ``hands`` the cards ``dealt``: ``Game.contradiction``."""
    dealt, deck = int(s["dealt"]), s["deck"]
    if dealt != len(hands):
        return f"dealt is {dealt}, but {len(hands)} cards are on the table"
    if (deck[:dealt] != NONE).any() or (deck[dealt:] == NONE).any():
        return f"deck does not begin with just dealt={dealt} places of cards that have gone"
    cards = [int(card) for card in (*deck, *hands) if card >= 0]
    twice = next((card for card in cards if cards.count(card) > 1), None)
    return None if twice is None else f"deck and hands have {card_name(twice)} more than once"


@kernel
def count_cards(cards):
    """How many cards are in a set."""
    pairs = cards - ((cards >> 1) & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + ((pairs >> 2) & 0x3333333333333333)
    eights = (fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((eights * 0x0101010101010101) >> 56) & 255


@kernel
def lowest_card(cards):
    """The lowest card of a set that is not empty."""
    return count_cards((cards & -cards) - 1)


@kernel
def highest_card(cards):
    """The highest card of a set that is not empty."""
    for shift in (1, 2, 4, 8, 16, 32):
        cards |= cards >> shift
    return count_cards(cards) - 1


@kernel
def shuffle_deck(s):
    """Lay the cards of the deck, the highest of the pack, in random order."""
    for k in range(len(s.deck)):
        s.deck[k] = len(BIT) - len(s.deck) + k
    shuffle(s.rng, s.deck, len(s.deck))


@inlined
def put_card(out, known, card, lowest, ranks):
    """Write a card of a deck from the card ``lowest`` on: flags of its rank, ``ranks`` of them,
    then of its suit; none known if it is hidden."""
    if card >= 0:
        out[(card - lowest) // _SUITS] = 1
        out[ranks + card % _SUITS] = 1
    elif card == HIDDEN:
        for k in range(ranks + _SUITS):
            known[k] = 0
