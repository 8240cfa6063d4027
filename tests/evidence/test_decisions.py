"""Every decision of a match: who made it, in what time, and who could know which cards."""

import pytest
from support_disputed_logs import disputed_match
from support_evidence import as_page, as_text, decided, full_report
from support_golden import golden_log
from support_logs import Table, played, results_of

from ginrummy.evidence.decisions import Decision
from ginrummy.log.lines import read_line
from ginrummy.rules.cards import Card, card_set
from ginrummy.rules.commands import Discard, Draw, Expire, Forfeit, Pass, Pause, Resume, Take
from ginrummy.rules.events import TimeControl
from ginrummy.rules.match import Playing, deadline

CLOCK = TimeControl(bank_ms=60_000, increment_ms=500, decision_ms=20_000)


def table(**terms: object) -> Table:
    return Table(5, clock=CLOCK, **terms).seated()  # type: ignore[arg-type]  # handed on


def last(game: Table) -> Decision:
    return decided(full_report(game.log, secrets=game.secrets))[-1]


def hands_of(game: Table) -> tuple[set[Card], set[Card]]:
    """The cards of both hands as they really are."""
    assert isinstance(game.match, Playing)
    layout = game.match.hand.layout
    return (
        {card for card in Card if card.bit & layout.hands[0]},
        {card for card in Card if card.bit & layout.hands[1]},
    )


# --- times ----------------------------------------------------------------------------------------


def test_the_time_of_a_decision_runs_from_the_event_before_it() -> None:
    game = table()
    game.wait(3.5)
    first = game.turn
    game.move(Pass())
    decision = last(game)
    assert (decision.thought_ms, decision.allowed_ms) == (3500.0, 20_000.0)
    assert decision.bank_ms is not None
    assert decision.bank_ms[first] == 60_000 - 3500 + 500
    assert decision.bank_ms[1 - first] == 60_000
    assert (decision.act, decision.rule, decision.made_by) == ("upcard_passed", "D2", "player")
    assert decision.by == game.players[first]


def test_a_part_of_a_millisecond_is_not_lost() -> None:
    """Whether somebody was out of time may hang on it."""
    game = table()
    game.at += 20_000_001
    game.act(Expire(), "server")
    decision = last(game)
    assert (decision.thought_ms, decision.allowed_ms) == (20_000.001, 20_000.0)


def test_where_the_bank_is_the_shorter_one_it_is_what_there_was() -> None:
    game = Table(5, clock=TimeControl(bank_ms=9_000, increment_ms=0, decision_ms=20_000)).seated()
    game.wait(4)
    game.move(Pass())
    game.wait(4)
    game.move(Pass())
    game.wait(1)
    game.move(Draw())
    assert last(game).allowed_ms == 5000.0


def test_without_a_bank_none_is_told() -> None:
    game = Table(5).seated()
    game.move(Pass())
    assert last(game).bank_ms is None
    assert last(game).allowed_ms is not None, "whoever decides nothing has abandoned the match"


# --- who made it ----------------------------------------------------------------------------------


def test_the_server_ends_a_match_for_whoever_is_out_of_time() -> None:
    game = table()
    seat = game.turn
    end = deadline(game.match)
    assert end is not None
    game.at = end + 1
    game.act(Expire(), "server")
    decision = last(game)
    assert (decision.act, decision.made_by, decision.seat) == ("clock_expired", "server", seat)
    assert decision.absent
    assert decision.why == "the seat's time was over"


@pytest.mark.parametrize(
    ("reason", "absent"),
    [("crash", True), ("stall", True), ("no_show", True), ("illegal_moves", False)],
)
def test_a_forfeit_says_whether_its_player_was_there(reason: str, absent: bool) -> None:  # noqa: FBT001 -- parametrized
    game = table()
    game.act(Forfeit(game.turn, reason), "server")  # type: ignore[arg-type]  # one of them
    decision = last(game)
    assert (decision.act, decision.made_by, decision.absent) == ("forfeited", "server", absent)


def test_after_gin_the_server_lays_down_and_nobody_was_absent() -> None:
    """L2."""
    game = played(317, "straight")
    assert "gin" in results_of(game)
    laid = [each for each in decided(full_report(game.log)) if each.act == "laid_off"]
    assert {(each.made_by, each.absent, each.thought_ms) for each in laid} == {
        ("server", False, None)
    }
    assert "L2" in laid[0].why


def test_a_nonce_that_was_left_to_the_server_is_its_decision() -> None:
    full = full_report(Table(5, nonce_by=("server", "player")).seated().log)
    drawn = [each for each in decided(full) if each.act == "nonce_revealed"]
    assert [(each.seat, each.made_by) for each in drawn] == [(0, "server")]


def test_a_director_is_told_apart_from_the_players() -> None:
    game = table()
    game.act(Pause(), game.director)
    game.wait(100)
    game.act(Resume(), game.director)
    paused, resumed = decided(full_report(game.log))[-2:]
    assert (paused.made_by, paused.by, paused.seat) == ("director", game.director, None)
    assert (resumed.act, resumed.thought_ms) == ("clock_resumed", None)


def test_moves_that_a_fork_takes_over_were_decided_elsewhere() -> None:
    log = golden_log("fork_same")
    copies = read_line(log[0]).event.origin.moves  # type: ignore[union-attr]  # a fork's terms
    taken = decided(full_report(log))[:copies]
    assert {(each.made_by, each.absent, each.thought_ms) for each in taken} == {
        ("server", False, None)
    }
    assert all("taken over" in each.why for each in taken)


def test_what_comes_after_the_end_is_no_decision_of_the_last_hand() -> None:
    full = full_report(disputed_match().log)
    acts = [each.act for each in full.survey.afterwards]
    assert acts[:3] == ["dispute_opened", "dispute_ruled", "result_adjusted"]
    assert {each.made_by for each in full.survey.afterwards} == {"player", "director", "server"}
    last = list(full.hands())[-1]
    assert not {each.act for each in last.decisions} & set(acts)
    assert last.last < full.survey.afterwards[0].seq
    assert "After the end" in as_text(full)
    assert "Bob disputes hand 1" in as_page(full)


@pytest.mark.parametrize("name", ["clock", "resigned", "abandoned", "forfeited", "aborted"])
def test_each_end_is_one_decision(name: str) -> None:
    ends = ("clock_expired", "resigned", "match_ended", "forfeited")
    told = [each.act for each in decided(full_report(golden_log(name))) if each.act in ends]
    assert len(told) == 1


# --- who could know what --------------------------------------------------------------------------


def test_a_seat_knows_its_own_cards_and_those_that_it_saw_go() -> None:
    game = table()
    taker = game.turn
    assert isinstance(game.match, Playing)
    upcard = game.match.hand.layout.dealt.upcard
    game.move(Take())
    thrown = next(card for card in sorted(hands_of(game)[taker], key=str) if card is not upcard)
    game.move(Discard(thrown))
    game.move(Draw())
    held = hands_of(game)
    drawn = last(game)
    assert drawn.knew is not None
    sight = drawn.knew.seats[1 - taker]
    assert sight.hands[taker].cards == (upcard,)
    assert sight.hands[taker].hidden == 9
    assert sight.unseen == 52 - 10 - 1 - 1
    assert drawn.knew.pile == (thrown,)
    assert drawn.knew.stock == 31
    assert drawn.knew.spectator.hands[taker].cards == (upcard,)
    assert drawn.knew.spectator.hands[1 - taker].cards == ()
    assert drawn.knew.spectator.unseen == 52 - 2
    # It is what was known ahead of the draw: the card drawn is not among it.
    own = sight.hands[1 - taker]
    assert own.hidden == 0
    assert set(own.cards) < held[1 - taker]
    assert len(own.cards) == 10


def test_the_card_just_drawn_is_named() -> None:
    game = table()
    game.move(Pass())
    game.move(Pass())
    game.move(Draw())
    assert isinstance(game.match, Playing)
    game.move(Discard(next(iter(hands_of(game)[game.turn]))))
    decision = last(game)
    assert decision.knew is not None
    assert decision.seat is not None
    assert decision.knew.drawn in decision.knew.seats[decision.seat].hands[decision.seat].cards
    assert len(decision.knew.seats[decision.seat].hands[decision.seat].cards) == 11


def test_every_card_is_in_one_place_for_everybody() -> None:
    """Own cards, the other's known and hidden ones, the pile and the stock make a deck."""
    for name in ("classic", "straight", "oklahoma", "eaai"):
        for decision in decided(full_report(golden_log(name))):
            if decision.knew is None:
                continue
            for seat, sight in enumerate(decision.knew.seats):
                own, others = sight.hands[seat], sight.hands[1 - seat]
                known = [*own.cards, *others.cards, *decision.knew.pile]
                assert card_set(known).bit_count() == len(known)
                assert own.hidden == 0
                # Once a knock lies there, its face-down card is another that may be unseen.
                down = sight.unseen - others.hidden - decision.knew.stock
                assert down in ((0, 1) if decision.act == "laid_off" else (0,))


def test_of_a_hand_that_is_not_over_only_what_all_could_see_is_told() -> None:
    full = full_report(golden_log("unrevealed"))
    for decision in decided(full):
        if decision.knew is not None:
            shown = decision.knew.spectator.hands
            assert decision.knew.seats[0].hands == shown
            assert decision.knew.seats[1].hands == shown
    assert all(hand.deal is None or hand.deal.deck is None for hand in full.hands())
    assert all(hand.deal is None or hand.deal.secret is None for hand in full.hands())
