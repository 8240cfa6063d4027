"""The faces of the cards as SVG symbols, drawn here from a few shapes.

A card is 60 by 84. Its colours are the style sheet's, by classes: `S H D C` for the ink of a suit.
The index at the left edge is large, since in a hand it is all that the next card leaves to be seen.
"""

from collections.abc import Iterator

from ginrummy.rules.cards import DECK, RANKS, SUITS, Card

__all__ = ["BACK_ID", "face_id", "faces"]

BACK_ID = "card-back"

_SUITS = {
    "S": (
        '<path d="M0-9C3-5.2 8.5-2 8.5 2.4 8.5 5 6.6 6.5 4.6 6.5 3 6.5 1.6 5.6.9 4.2 1.1 6.4 1.9 8 '
        "3.4 9H-3.4C-1.9 8-1.1 6.4-.9 4.2-1.6 5.6-3 6.5-4.6 6.5-6.6 6.5-8.5 5-8.5 2.4-8.5-2-3-5.2 "
        '0-9Z"/>'
    ),
    "H": (
        '<path d="M0 8.6C-3 4.8-8.6 1.2-8.6-3.6-8.6-6.6-6.5-8.6-4.1-8.6-2.2-8.6-.7-7.4 0-5.6.7-7.4 '
        '2.2-8.6 4.1-8.6 6.5-8.6 8.6-6.6 8.6-3.6 8.6 1.2 3 4.8 0 8.6Z"/>'
    ),
    "D": (
        '<path d="M0-9.4C2-5.8 4.4-2.7 7.4 0 4.4 2.7 2 5.8 0 9.4-2 5.8-4.4 2.7-7.4 0-4.4-2.7-2-5.8 '
        '0-9.4Z"/>'
    ),
    "C": (
        '<circle cy="-4.7" r="4.2"/><circle cx="-4.5" cy="2" r="4.2"/><circle cx="4.5" cy="2" '
        'r="4.2"/><path d="M-2-3H2L1 2C1 5.6 1.8 8 3.4 9H-3.4C-1.8 8-1 5.6-1 2Z"/>'
    ),
}
"""The suits around the origin, some 17 wide."""

_ORNAMENTS = {
    # A feather on a cap, a coronet of three leaves, a crown of five points.
    "J": (
        '<path d="M-9 5H9V8H-9ZM-8 4C-8-1-4-4 1-4 5-4 8-1 8 4Z"/>'
        '<path d="M2-4C4-9 8-11 12-10 11-6 8-3 4-2Z"/>'
    ),
    "Q": (
        '<path d="M-9 8H9L10-1C7 2 5 2 3 1L0-6-3 1C-5 2-7 2-10-1Z"/>'
        '<circle cy="-8" r="2"/><circle cx="-10.5" cy="-3" r="1.8"/>'
        '<circle cx="10.5" cy="-3" r="1.8"/>'
    ),
    "K": (
        '<path d="M-10 8H10V5H-10ZM-10 4H10L12-6 6-1 4-8 0-2-4-8-6-1-12-6Z"/>'
        '<path d="M-1-13H1V-11H3V-9H1V-6H-1V-9H-3V-11H-1Z"/>'
    ),
}

_LEFT, _CENTRE, _RIGHT = 22, 30, 38
_PIPS: dict[str, tuple[tuple[int, float], ...]] = {
    # Those of the upper half and the middle; the lower half is the upper one turned round.
    "2": ((_CENTRE, 17),),
    "3": ((_CENTRE, 17), (_CENTRE, 42)),
    "4": ((_LEFT, 17), (_RIGHT, 17)),
    "5": ((_LEFT, 17), (_RIGHT, 17), (_CENTRE, 42)),
    "6": ((_LEFT, 17), (_RIGHT, 17), (_LEFT, 42), (_RIGHT, 42)),
    "7": ((_LEFT, 17), (_RIGHT, 17), (_LEFT, 42), (_RIGHT, 42)),
    "8": ((_LEFT, 17), (_RIGHT, 17), (_CENTRE, 29.5), (_LEFT, 42), (_RIGHT, 42)),
    "9": ((_LEFT, 15), (_RIGHT, 15), (_LEFT, 33), (_RIGHT, 33), (_CENTRE, 42)),
    "T": ((_LEFT, 15), (_RIGHT, 15), (_CENTRE, 24), (_LEFT, 33), (_RIGHT, 33)),
}

_PAPER = '<rect class="paper" x=".5" y=".5" width="59" height="83" rx="5"/>'
_TURNED = 'transform="rotate(180 30 42)"'


def face_id(card: Card) -> str:
    """Return the id of a card's symbol."""
    return f"card-{card}"


def faces() -> Iterator[str]:
    """Yield what a page needs to draw cards: the shapes, the 52 faces and the back."""
    yield "<defs>"
    for suit in SUITS:
        yield f'<g id="pip-{suit}">{_SUITS[suit]}</g>'
    yield (
        '<pattern id="lattice" width="8" height="8" patternUnits="userSpaceOnUse">'
        '<path class="weave" d="M4 0 8 4 4 8 0 4Z"/><circle class="knot" cx="4" cy="4" r="1"/>'
        "</pattern>"
    )
    yield "</defs>"
    yield (
        f'<symbol id="{BACK_ID}" viewBox="0 0 60 84">{_PAPER}'
        '<rect class="cloth" x="4" y="4" width="52" height="76" rx="3"/>'
        '<rect x="6" y="6" width="48" height="72" rx="2" fill="url(#lattice)"/></symbol>'
    )
    for card in DECK:
        yield f'<symbol id="{face_id(card)}" viewBox="0 0 60 84">{_face(card)}</symbol>'


def _face(card: Card) -> str:
    rank, suit = RANKS[card.rank], SUITS[card.suit]
    corner = _corner(rank, suit)
    if rank in _ORNAMENTS:
        middle = _court(rank)
    elif rank == "A":
        middle = _pip(suit, 30, 42, 1.7)
    else:
        middle = _pips(rank, suit)
    return f'{_PAPER}<g class="{suit}">{corner}<g {_TURNED}>{corner}</g>{middle}</g>'


def _pip(suit: str, x: float, y: float, size: float) -> str:
    return f'<use href="#pip-{suit}" transform="translate({x:g} {y:g}) scale({size:g})"/>'


def _corner(rank: str, suit: str) -> str:
    name = "10" if rank == "T" else rank
    narrow = ' textLength="15" lengthAdjust="spacingAndGlyphs"' if rank == "T" else ""
    return f'<text class="rank" x="9.5" y="18"{narrow}>{name}</text>{_pip(suit, 9.5, 27, 0.62)}'


def _pips(rank: str, suit: str) -> str:
    upper = "".join(_pip(suit, x, y, 0.56) for x, y in _PIPS[rank] if y < 42)
    middle = "".join(_pip(suit, x, y, 0.56) for x, y in _PIPS[rank] if y == 42)
    odd = _pip(suit, _CENTRE, 29.5, 0.56) if rank == "7" else ""
    return f"{upper}<g {_TURNED}>{upper}</g>{middle}{odd}"


def _court(rank: str) -> str:
    half = f'<g transform="translate(30 24) scale(.8)">{_ORNAMENTS[rank]}</g>'
    return (
        '<rect class="frame" x="17.5" y="9.5" width="25" height="65" rx="2"/>'
        f'{half}<g {_TURNED}>{half}</g><text class="letter" x="30" y="50">{rank}</text>'
    )
