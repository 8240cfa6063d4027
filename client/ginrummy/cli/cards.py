"""`gin melds`, `gin layoff`, `gin deck`: the rules' answers about cards, for a shell's pipe."""

from collections.abc import Iterable

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.lines import UnusableLineError, answer_lines, standard_input
from ginrummy.log.deck import NONCE_BYTES, SECRET_BYTES, shuffle
from ginrummy.rules.cards import (
    BySeat,
    UnreadableCardError,
    card_set,
    cards_in,
    parse_cards,
    write_cards,
)
from ginrummy.rules.events import LayOffCard, Meld
from ginrummy.rules.layoffs import best_lay_off
from ginrummy.rules.melds import arrange, check_melds
from ginrummy.rules.ruleset import PRESETS

__all__ = ["deck", "layoff", "melds"]

_rules_option = click.option(
    "--rules",
    "preset",
    type=click.Choice(tuple(PRESETS)),
    default="standard",
    show_default=True,
    help="The preset whose cap on laid-down runs holds (M2).",
)


@click.command(
    epilog=examples(
        "gin melds 2D 3D 4D 5S 5H 5C KS QS 9H AC",
        "gin melds - < hands.txt",
        "echo '7S 8S 9S ts js qs' | gin melds --rules classic -",
    )
)
@click.argument("cards", nargs=-1, required=True, metavar="CARDS... | -")
@_rules_option
def melds(cards: tuple[str, ...], preset: str) -> None:
    """Arrange hands for least deadwood.

    Takes one hand as arguments, or with - one hand a line of standard input; every card counts,
    no discard is taken off. Writes a line for each hand: the deadwood in points, a tab, the melds
    separated by semicolons, a tab, and the deadwood cards.
    """
    run_max = PRESETS[preset].run_max
    if cards == ("-",):
        answer_lines(lambda line: _arranged(line, run_max))
        return
    try:
        click.echo(_arranged(" ".join(cards), run_max))
    except UnreadableCardError as error:
        raise click.UsageError(str(error)) from error


def _arranged(text: str, run_max: int | None) -> str:
    best = arrange(card_set(parse_cards(text)), run_max)
    return "\t".join((str(best.points), _write_melds(best.melds), write_cards(best.deadwood)))


@click.command(
    epilog=examples(
        "printf '7C 8C 9C;JD JH JS\\tTC JC 2S 3S 4S KD KH QD 9D AC\\n' | gin layoff -",
        "cut -f 2,3 layoff.tsv | gin layoff - | cut -f 1",
    ),
)
@standard_input
@_rules_option
def layoff(preset: str) -> None:
    """Lay off on a knock for least deadwood.

    Takes lines of the knocker's melds, separated by semicolons, a tab, and the opponent's hand.
    Writes a line for each: the opponent's least final deadwood in points, a tab, their own melds
    separated by semicolons, a tab, the cards laid off, in order, as CARD>MELD where MELD is 0 for
    the knocker's first meld, a tab, and the cards left.
    """
    run_max = PRESETS[preset].run_max
    answer_lines(lambda line: _laid_off(line, run_max))


def _laid_off(line: str, run_max: int | None) -> str:
    spread_text, hand_text = _fields(line, "the knocker's melds", "the opponent's hand")
    spread = tuple(parse_cards(meld) for meld in spread_text.split(";") if meld.strip())
    # How long a run the knocker may have laid down is between them and their rules.
    laid = check_melds(spread, card_set(card for meld in spread for card in meld), run_max=None)
    hand = card_set(parse_cards(hand_text))
    if laid & hand:
        raise UnusableLineError(f"{write_cards(cards_in(laid & hand))}: in the melds and the hand")
    best = best_lay_off(spread, hand, run_max)
    return "\t".join(
        (
            str(best.points),
            _write_melds(best.melds),
            " ".join(map(_write_layoff, best.layoffs)),
            write_cards(best.deadwood),
        )
    )


@click.command(
    epilog=examples(
        "printf '%s\\t%s\\t1\\t%s\\t%s\\n' SECRET MATCH NONCE0 NONCE1 | gin deck -",
        "cut -f 1-5 deck.tsv | gin deck -",
    ),
)
@standard_input
def deck() -> None:
    """Shuffle committed decks.

    Takes lines of a hand's secret, the match's id, the hand's number, and the nonces of seat 0 and
    seat 1, with tabs between; secret and nonces in hex, the number in decimal. Writes a line for
    each: the 52 cards from the first one dealt, a tab, and for hand 1 the first dealer's seat.
    """
    answer_lines(_shuffled)


def _shuffled(line: str) -> str:
    names = ("secret", "match", "hand", "nonce of seat 0", "nonce of seat 1")
    secret, match, hand, *nonces = _fields(line, *names)
    if not (hand.isascii() and hand.isdecimal()):
        raise UnusableLineError(f"{hand!r} is not a hand's number")
    first, second = (_unhex("nonce", nonce, NONCE_BYTES) for nonce in nonces)
    try:
        shuffled = shuffle(
            _unhex("secret", secret, SECRET_BYTES), match, int(hand), BySeat(first, second)
        )
    except ValueError as error:
        raise UnusableLineError(str(error)) from error
    dealer = "" if shuffled.first_dealer is None else str(shuffled.first_dealer)
    return f"{write_cards(shuffled.deck)}\t{dealer}"


def _fields(line: str, *names: str) -> list[str]:
    """Return the fields of a line with tabs, as many as they have names."""
    fields = line.split("\t")
    if len(fields) != len(names):
        raise UnusableLineError(
            f"want {len(names)} fields with tabs between ({', '.join(names)}), got {len(fields)}"
        )
    return [field.strip() for field in fields]


def _unhex(name: str, text: str, size: int) -> bytes:
    # The text itself stays out of the message: it may be a secret that is not out yet.
    if len(text) != 2 * size or set(text) - set("0123456789abcdefABCDEF"):
        raise UnusableLineError(f"the {name} must be {size} bytes in hex")
    return bytes.fromhex(text)


def _write_melds(arranged: Iterable[Meld]) -> str:
    return ";".join(map(write_cards, arranged))


def _write_layoff(laid_off: LayOffCard) -> str:
    return f"{laid_off.card}>{laid_off.meld}"
