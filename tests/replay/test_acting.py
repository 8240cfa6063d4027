"""Who has caused an event, under which rule, and after what thought."""

from support_forks import forked_match
from support_golden import golden_log
from support_logs import Table

from ginrummy.replay.acting import Act, act_of
from ginrummy.replay.stepping import Position, Replay
from ginrummy.rules.cards import other
from ginrummy.rules.commands import Draw, Pass, Take
from ginrummy.rules.events import TimeControl
from ginrummy.rules.match import Playing


def acts(replay: Replay, kind: str) -> list[Act]:
    return [act_of(each) for each in every(replay) if each.line.type == kind]


def every(replay: Replay) -> list[Position]:
    return list(replay.between(1, replay.last))


def test_a_decision_says_how_long_it_took() -> None:
    table = Table(3).seated()
    table.wait(2.5)
    table.move(Pass())
    table.wait(0.25)
    table.move(Take())
    passed, taken = [act_of(each) for each in every(Replay(table.log))[-2:]]
    assert isinstance(table.match, Playing)
    dealer = table.match.hand.layout.dealt.dealer
    assert passed == Act(other(dealer), by_server=False, thought=2500, rule="D2")
    assert taken == Act(dealer, by_server=False, thought=250, rule="D2")


def test_a_card_taken_later_is_an_ordinary_draw() -> None:
    replay = Replay(golden_log("classic"))
    assert "T1" in {act.rule for act in acts(replay, "discard_taken")}


def test_what_nobody_decides_takes_no_thought() -> None:
    replay = Replay(golden_log("classic"))
    (created,) = acts(replay, "match_created")
    assert created == Act(None, by_server=False, thought=None, rule="")
    assert {act.thought for act in acts(replay, "player_joined")} == {None}
    assert {act.rule for act in acts(replay, "hand_dealt")} == {"D1"}


def test_what_the_server_decides_for_somebody_is_marked() -> None:
    """After gin the opponent's melds are laid down for them (L2)."""
    replay = Replay(golden_log("straight"))
    laid = acts(replay, "laid_off")
    assert laid
    assert all(act.by_server and act.thought is None and act.rule == "L2" for act in laid)


def test_an_end_cites_why_it_is_one() -> None:
    assert {act.rule for act in acts(Replay(golden_log("classic")), "match_ended")} == {"X2"}
    assert {act.rule for act in acts(Replay(golden_log("resigned")), "match_ended")} == {"X3"}


def test_a_draw_is_timed_from_the_event_before_it() -> None:
    table = Table(3, clock=TimeControl(bank_ms=60_000)).seated()
    table.move(Pass())
    table.move(Pass())
    table.wait(4)
    table.move(Draw())
    assert act_of(every(Replay(table.log))[-1]).thought == 4000


def test_what_a_fork_takes_over_nobody_has_decided_there() -> None:
    replay = Replay(forked_match(golden_log("classic"), 60).log)
    acted = [act_of(each) for each in every(replay)[5:15]]
    assert [act.is_taken_over for act in acted] == [False, *[True] * 7, False, False]
    assert {(act.by_server, act.thought) for act in acted[1:8]} == {(True, None)}
