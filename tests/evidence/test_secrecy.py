"""A report holds no card that its reader may not know, in any of its forms."""

import random

import pytest
from support_evidence import as_page, as_text, full_report
from support_logs import Table, in_hand, played
from support_play import soak
from support_two_worlds import Eyes, Position, positions, rigged, worlds

from ginrummy.evidence.document import write_document
from ginrummy.evidence.full import FullReport
from ginrummy.log.deck import SecretChain
from ginrummy.rules.cards import BySeat, Card, Seat
from ginrummy.rules.match import Playing
from ginrummy.rules.view import Perspective

POSITIONS = soak(1_200, 16)
CHAIN = 1000


def forms(full: FullReport) -> tuple[bytes, str, str]:
    return b"".join(write_document(full)), as_text(full), as_page(full)


def reported(position: Position, chain_end: bytes, reader: Perspective) -> FullReport:
    log = [line.raw for line in position.lines]
    return full_report(log, reader, secrets=SecretChain(chain_end, CHAIN))


@pytest.mark.parametrize("eyes", [0, 1, None])
def test_two_worlds_that_a_reader_cannot_tell_apart_have_the_same_report(eyes: Eyes) -> None:
    """With the operator's own secrets, which open every hidden card."""
    rng = random.Random(f"reports {eyes}")
    reader: Perspective = "public" if eyes is None else 1 if eyes else 0
    differing = 0
    for position in positions(POSITIONS, seed=77, a_match=4):
        with rigged():
            real, other, differs = worlds(position, eyes, rng)
            one, another = (reported(position, end, reader) for end in (real, other))
            assert forms(one) == forms(another)
            differing += differs
            if differs:
                full = [reported(position, end, "full") for end in (real, other)]
                assert as_text(full[0]) != as_text(full[1])
    assert differing > POSITIONS * 0.7


@pytest.fixture
def table() -> Table:
    return Table(13).seated().play(until=in_hand(3))


def hands_of(table: Table) -> BySeat[set[Card]]:
    assert isinstance(table.match, Playing)
    layout = table.match.hand.layout
    return BySeat(*({card for card in Card if card.bit & held} for held in layout.hands))


def test_without_secrets_a_running_match_shows_only_what_all_have_seen(table: Table) -> None:
    """A report that is passed on tells what the log itself gives away."""
    full = full_report(table.log)
    last = list(full.hands())[-1]
    assert last.deal is not None
    assert [held.cards for held in last.deal.hands] == [(), ()]
    assert table.secrets.secret(3).hex() not in as_text(full) + as_page(full)
    for decision in (each for hand in full.hands() for each in hand.decisions):
        if decision.knew is not None:
            assert [sight.hands for sight in decision.knew.seats] == [
                decision.knew.spectator.hands
            ] * 2


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seats_own_report_shows_its_own_cards_alone(seat: Seat, table: Table) -> None:
    full = full_report(table.log, seat, secrets=table.secrets)
    last = list(full.hands())[-1]
    assert last.deal is not None
    held = hands_of(table)
    assert set(last.deal.hands[seat].cards) == held[seat]
    assert last.deal.hands[1 - seat].cards == ()
    assert last.deal.deck is None
    assert last.deal.secret is None


def test_a_seats_own_report_stays_so_when_the_secrets_are_out() -> None:
    """Who asks for one seat's eyes wants what these saw, and nothing that came out later."""
    log = played(129, "classic").log
    full = full_report(log, 0)
    for hand in full.hands():
        for decision in hand.decisions:
            if decision.knew is not None:
                other = decision.knew.seats[1].hands[1]
                assert other == decision.knew.spectator.hands[1]
        assert hand.deal is None or hand.deal.deck is None
    assert full.report.clean
    assert "not opened for these eyes" in full.report.check("deck").detail
