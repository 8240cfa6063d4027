"""The two verifiers on forks: good ones, forged ones, and the origin's log beside them."""

import random
from collections.abc import Sequence

import pytest
from support_audit import CLASSIC, data, nth
from support_forks import Fork, forked
from support_logs import Log, board_played, edited, events_of, forged, played, relinked, without
from support_mutants import CLASSES, mutant
from support_node import Verdict, verdicts
from support_play import soak

from ginrummy.audit.audit import audit
from ginrummy.audit.beginning import OriginLog
from ginrummy.audit.errors import UnusableLogError
from ginrummy.log.branching import Kept
from ginrummy.log.fold import shuffle_for
from ginrummy.rules.cards import Seat
from ginrummy.rules.ruleset import PRESETS

KINDS: tuple[tuple[Kept, Seat | None], ...] = (
    ("same", None),
    ("reshuffled", None),
    ("reshuffled", 0),
    ("reshuffled", 1),
)


def python_is_clean(log: Log, origin: Log | None = None) -> bool:
    try:
        return audit(log, origin=None if origin is None else OriginLog(origin)).clean
    except UnusableLogError:
        return False


def node_says(logs: Sequence[tuple[Log, Log | None]]) -> list[Verdict]:
    return verdicts(((log, None) for log, _ in logs), origins=[origin for _, origin in logs])


def forks(origin: Log, number: int) -> list[Fork]:
    """Return forks of events here and there in a log, of every kind, played to their ends."""
    rng = random.Random(number)
    last = events_of(origin, "match_ended")[0]
    found: list[Fork] = []
    for seed, (kept, seat) in enumerate(KINDS):
        fork = forked(
            origin,
            rng.randrange(5, last - 3),
            kept,
            seat,
            seed=seed,
            reveal="hand" if seed % 2 else "match",
        )
        fork.play()
        found.append(fork)
    return found


def test_both_find_forks_clean_revealed_or_not_with_their_origin_or_without() -> None:
    cases: list[tuple[Log, Log | None]] = []
    for number, preset in enumerate(PRESETS):
        origin = played(number, preset).log
        for fork in forks(origin, number):
            out = [*events_of(fork.log, "position_revealed"), len(fork.log)][0]
            for log in (fork.log, fork.log[:out]):
                cases += [(log, None), (log, origin)]
    board = board_played(6, 3).log
    cases += [(fork.log, board) for fork in forks_of_board(board)]
    first = forks(CLASSIC.log, 7)[3].log
    second = forked(first, nth(first, "hand_dealt") + 15)
    cases.append((second.play().log, first))
    for (log, beside), verdict in zip(cases, node_says(cases), strict=True):
        assert verdict["faults"] == []
        assert verdict["followed"] == len(log)
        assert python_is_clean(log, beside)


def forks_of_board(board: Log) -> list[Fork]:
    found = [forked(board, nth(board, "hand_dealt") + after) for after in (1, 6)]
    for fork in found:
        fork.play()
    return found


def test_both_deal_the_same_cards() -> None:
    tables = forks(CLASSIC.log, 2)
    for fork, verdict in zip(tables, node_says([(fork.log, None) for fork in tables]), strict=True):
        position = fork.secrets.position
        if position is None:
            continue
        (first, *_) = verdict["hands"]
        for place, card in enumerate(position.places):
            assert card is None or first["deck"][place] == str(card)
        found = shuffle_for(fork.match, fork.stream, 1, fork.secrets)
        assert found is not None
        assert first["deck"] == [str(card) for card in found.deck]


# --- spoiled ones ---------------------------------------------------------------------------------

GOOD = forked(CLASSIC.log, nth(CLASSIC.log, "hand_dealt") + 12, "reshuffled", 0)
GOOD.play()
DEAL, OUT = nth(GOOD.log, "hand_dealt"), nth(GOOD.log, "position_revealed")
MOVES = len(GOOD.branch.moves)


def spoiled() -> list[Log]:
    """Return forks with one thing wrong each, every hash made good."""
    log = GOOD.log
    of = data(log[0])["origin"]
    logs = [
        forged(log, 0, data_origin=of | change)
        for change in (
            {"unseen": "same"},
            {"unseen": "fresh"},
            {"seat": 1},
            {"seat": None},
            {"position": None},
            {"position": "0" * 64},
            {"moves": MOVES + 1},
            {"moves": MOVES - 1},
            {"moves": 0},
            {"moves": 10**20},
            {"scores": [150, 0]},
            {"scores": [-1, 0]},
            {"scores": [10**20, 0]},
            {"scores": [1, 0]},
            {"hands_won": [0, 1]},
            {"hands_won": [-1, 0]},
            {"kind": "replay"},
        )
    ]
    logs += [forged(log, 0, data_dispute_ms=5), forged(log, 0, data_first_dealer=None)]
    cards = data(log[OUT])["cards"]
    for place in range(52):
        changed = [*cards]
        changed[place] = None if cards[place] is not None else "AS"
        logs.append(forged(log, OUT, data_cards=changed))
    logs.append(forged(log, OUT, data_salt="0" * 32))
    logs += [relinked(without(log, at)) for at in range(DEAL, DEAL + MOVES + 2)]
    logs += [forged(log, DEAL + 1, by=GOOD.players[seat]) for seat in (0, 1)]
    logs += [log[: DEAL + cut] for cut in range(1, MOVES + 1)]
    swapped = [*log]
    swapped[OUT], swapped[OUT + 1] = swapped[OUT + 1], swapped[OUT]
    logs += [relinked(swapped), relinked(without(log, OUT)), log[: OUT + 1]]
    logs.append(relinked([*log, log[OUT]]))
    pause = edited(log, DEAL + 2, type="clock_paused", data={})
    return [*logs, relinked(pause)]


def test_both_find_the_same_spoiled_forks_at_fault() -> None:
    logs = spoiled()
    found = node_says([(log, None) for log in logs])
    at_fault = 0
    for number, (log, verdict) in enumerate(zip(logs, found, strict=True)):
        assert verdict["clean"] == python_is_clean(log), number
        at_fault += not verdict["clean"]
    # Two are not wrong: an account that no rule contradicts, and an end that was cut off.
    assert len(logs) - at_fault <= 4


@pytest.mark.parametrize("kept", ["same", "reshuffled"])
def test_both_judge_mutants_of_forks_alike(kept: Kept) -> None:
    fork = forked(CLASSIC.log, nth(CLASSIC.log, "hand_dealt") + 14, kept, seed=4)
    log = fork.play().log
    rng = random.Random(5)
    mutants = [
        made
        for kind in CLASSES
        for _ in range(soak(40, 6))
        if (made := mutant(log, kind, rng)) is not None
    ]
    found = node_says([(made.lines, None) for made in mutants])
    for made, verdict in zip(mutants, found, strict=True):
        assert verdict["clean"] == python_is_clean(made.lines), made[:4]


def test_both_compare_a_fork_with_its_origin_alike() -> None:
    origin = CLASSIC.log
    of = data(GOOD.log[0])["origin"]
    other = played(131, "classic").log
    cases: list[tuple[Log, Log | None]] = [
        (forged(GOOD.log, 0, data_origin=of | change), origin)
        for change in (
            {"match": "m_" + "0" * 26},
            {"hash": "0" * 64},
            {"seq": of["seq"] - 1},
            {"seq": 10**6},
            {"seq": len(origin)},
            {"hand": 2},
            {"scores": [1, 0]},
            {"hands_won": [1, 0]},
        )
    ]
    cases += [
        (GOOD.log, other),
        (GOOD.log, edited(origin, 6, cmd="x")),
        (GOOD.log, origin[: of["seq"] - 1]),
        (GOOD.log, origin[: of["seq"]]),
        (GOOD.log, origin),
        (origin, origin),
        (GOOD.log, [b"{}"]),
    ]
    elsewhere = forked(other, nth(other, "hand_dealt") + 12)
    elsewhere.play()
    theirs = data(elsewhere.log[0])["origin"] | {
        name: of[name] for name in ("match", "seq", "hash")
    }
    cases.append((forged(elsewhere.log, 0, data_origin=theirs), origin))
    found = node_says(cases)
    told = [verdict["clean"] for verdict in found]
    assert told == [python_is_clean(log, beside) for log, beside in cases]
    assert told.count(True) == 2
