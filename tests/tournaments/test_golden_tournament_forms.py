"""Every form of a tournament's events that ever shipped reads as it did when it shipped (D5).

`golden/tournament_forms_v1.jsonl` holds each event in its first form, one chained line each, and
`golden/tournament_forms_disputes.jsonl` what came with disputes over matches, and
`golden/tournament_forms_signed.jsonl` what came with signed moves. The values beside them here are
what those lines mean, for ever: a line of them is never changed, only added. (The
story they tell is no possible tournament; a whole one is in the other golden logs.)
"""

import hashlib

import pytest
from support_golden import GOLDEN

from ginrummy.log.errors import MalformedLineError
from ginrummy.log.instants import read_instant
from ginrummy.log.lines import GENESIS, write_line
from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import Limits, TimeControl
from ginrummy.rules.ruleset import Ruleset
from ginrummy.tournaments.entrants import Absence, Bye, Pairing
from ginrummy.tournaments.event import (
    FORMS,
    Boards,
    Elsewhere,
    Matches,
    TournamentEvent,
    TournamentTerms,
    read_tournament_line,
)
from ginrummy.tournaments.event.events import (
    EVENT_TYPES,
    BoardsRevealed,
    EntrantCheckedIn,
    EntrantEntered,
    EntrantLeft,
    EntrantNonceRevealed,
    EntrantReturned,
    EntrantsSeeded,
    LotsDrawn,
    RegistrationClosed,
    ResultRecorded,
    ResultRuled,
    RoundPaired,
    SittingAdjusted,
    SittingEnded,
    TestEnded,
    TournamentAborted,
    TournamentCreated,
    TournamentEnded,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.scoring import Scoring
from ginrummy.tournaments.standings import Terms
from ginrummy.tournaments.statistics.sprt import Sprt

STREAM = "t_3d8zq1h5w9n4kx7vr2cm6yj0gb"
DIRECTOR = "p_0dq8m2k6y4sv1xj7ch9rn3wt5e"
ANN = "p_2c9rj4x7wqk0m5t8hz3vb6nd1f"
BO = "p_7hw3n0v5kd8q2xg6zj9tc4rb1m"
MATCH = "m_8gx3t6b1z5qk0wy9vh4rc7nd2f"
COMMITMENT = "e86298abdd22a55548437c77d06c16663263c785e08ea6b06565563673135208"
SECRET = "79e091ddfb39bc395e876359db72643e6aa9142a0fa7337486475a26de05db9c"
LOTS = "f4ad4ec4e41ec3f31cd3e9b3ad3f9db5ef3a9ac4dd8e8f40c5d29dcd9c6dc8a4"
NONCE = "00112233445566778899aabbccddeeff"
ITS_COMMITMENT = "a8faed6abbf35c12a4b26e40f6feb19d736d90045c83b9f9a31f638d323e6811"
KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
LAST_LINE = "0420261ce9aa2e671602b6dee780bd7d12039a43d17855677b152d608be1613e"

_SCORING = Scoring(win=3, draw=1, loss=0, bye=3)


def _created(terms: TournamentTerms) -> TournamentCreated:
    return TournamentCreated(terms=terms, commitment=COMMITMENT, chain=96, lots=LOTS)


_BOARDS = TournamentTerms(
    name='Winter "Open" Bö ♠',
    format=RoundRobin(double=True),
    play=Boards(boards=48, forfeit_points=40),
    rules=Ruleset(
        knock_limit=8,
        gin_only=False,
        oklahoma=False,
        spades_double=False,
        run_max=5,
        may_return_taken_card=True,
        gin_bonus=25,
        undercut_bonus=20,
        big_gin=True,
        big_gin_bonus=31,
        stock_floor=2,
        max_discard_draws=50,
        next_dealer="loser",
        target=150,
        hands=None,
        game_bonus=100,
        box_bonus=25,
        shutout_doubles=True,
    ),
    clock=TimeControl(bank_ms=600_000, increment_ms=5_000, decision_ms=None),
    limits=Limits(illegal_moves=20, start_ms=3_600_000, idle_ms=86_400_000),
    standings=Terms(scoring=Scoring(), tie_breaks=("head_to_head", "lot")),
    sprt=Sprt(scale="elo", h0=-1.5, h1=20.0, alpha=0.05, beta=0.000001, least_boards=16),
    open_entry=False,
    check_in=True,
    tables=8,
    round_ms=7_200_000,
    reconnect_ms=4_000,
    arrival_ms=90_000,
)
_ALL = ("head_to_head", "buchholz", "sonneborn_berger", "point_difference", "lot")

FIRST: tuple[tuple[str, str, str, TournamentEvent], ...] = (
    ("2026-12-05T08:00:00.000001Z", DIRECTOR, "create-1", _created(_BOARDS)),
    (
        "2026-12-05T08:00:00.000002Z",
        DIRECTOR,
        "create-2",
        _created(
            TournamentTerms(
                name="Gauntlet",
                format=Gauntlet(challengers=2, double=False),
                play=Matches(),
                sprt=None,
                standings=Terms(scoring=_SCORING, tie_breaks=_ALL),  # type: ignore[arg-type]
            )
        ),
    ),
    (
        "2026-12-05T08:00:00.000003Z",
        DIRECTOR,
        "create-3",
        _created(
            TournamentTerms(
                name="Swiss",
                format=Swiss(rounds=7, scoring=_SCORING),
                play=Elsewhere(),
                standings=Terms(scoring=_SCORING, tie_breaks=()),
            )
        ),
    ),
    (
        "2026-12-05T08:00:00.000004Z",
        DIRECTOR,
        "",
        _created(
            TournamentTerms(
                name="Cup", format=Elimination(double=True, play_offs=5), play=Matches()
            )
        ),
    ),
    (
        "2026-12-05T08:00:00.000005Z",
        DIRECTOR,
        "",
        _created(TournamentTerms(name="By hand", format=Manual(), play=Matches())),
    ),
    (
        "2026-12-05T08:01:00.000006Z",
        ANN,
        "enter-1",
        EntrantEntered(
            entrant=ANN,
            name="Ann",
            kind="person",
            seed=1,
            round=1,
            spec="",
            nonce_commitment=ITS_COMMITMENT,
            nonce_by="player",
        ),
    ),
    (
        "2026-12-05T08:02:00.000007Z",
        DIRECTOR,
        "enter-2",
        EntrantEntered(
            entrant=BO,
            name="Bö 🂡",
            kind="bot",
            seed=2,
            round=3,
            spec="greedy:seed=7",
            nonce_commitment="6995d874e546bd6eae594d5ef6b696bad37e7c076ad2ab7a7f5460ac8b8472fe",
            nonce_by="server",
        ),
    ),
    ("2026-12-05T08:03:00.000008Z", ANN, "here", EntrantCheckedIn(entrant=ANN)),
    ("2026-12-05T08:04:00.000009Z", DIRECTOR, "seeds", EntrantsSeeded(order=(BO, ANN))),
    ("2026-12-05T09:00:00.000010Z", DIRECTOR, "start", RegistrationClosed()),
    (
        "2026-12-05T09:00:01.000011Z",
        ANN,
        "nonce",
        EntrantNonceRevealed(entrant=ANN, nonce=NONCE),
    ),
    ("2026-12-05T09:00:02.000012Z", "server", "", TournamentStarted(mix=LOTS)),
    (
        "2026-12-05T09:00:03.000013Z",
        "server",
        "",
        RoundPaired(
            number=1,
            pairings=(
                Pairing(round=1, table=1, first=ANN, second=BO, label="", dealt_by_lot=False),
                Pairing(
                    round=1, table=2, first=BO, second=DIRECTOR, label="W1.2", dealt_by_lot=True
                ),
            ),
            byes=(Bye(round=1, entrant=ANN, label="W1.1"),),
            absences=(Absence(round=1, entrant=BO, label="L2.1"),),
        ),
    ),
    (
        "2026-12-05T09:10:00.000014Z",
        "server",
        "",
        SittingEnded(
            round=1,
            table=1,
            board=7,
            half=2,
            match=MATCH,
            seq=42,
            hash=LAST_LINE,
            outcome="second",
            reason="played",
            points=BySeat(0, 31),
            dealer="first",
        ),
    ),
    (
        "2026-12-05T09:11:00.000015Z",
        "server",
        "",
        SittingEnded(
            round=1,
            table=2,
            board=0,
            half=0,
            match="",
            seq=0,
            hash="",
            outcome="neither",
            reason="no_show",
            points=BySeat(0, 0),
            dealer=None,
        ),
    ),
    (
        "2026-12-05T09:11:00.000015Z",
        "server",
        "",
        TestEnded(status="accept_h1", boards=48, llr=2.944439),
    ),
    (
        "2026-12-05T09:11:01.000016Z",
        "server",
        "",
        ResultRecorded(
            round=1, table=1, outcome="first", reason="round_clock", points=BySeat(512, 480)
        ),
    ),
    (
        "2026-12-05T09:20:00.000017Z",
        DIRECTOR,
        "rule-1",
        ResultRuled(
            round=1,
            table=1,
            outcome="void",
            points=BySeat(0, 0),
            why='Both "signalled"',
            rule="K2",
        ),
    ),
    ("2026-12-05T09:21:00.000018Z", DIRECTOR, "pause", TournamentPaused()),
    ("2026-12-05T09:22:00.000019Z", DIRECTOR, "resume", TournamentResumed()),
    (
        "2026-12-05T09:23:00.000020Z",
        BO,
        "bye",
        EntrantLeft(entrant=BO, reason="withdrew", why="the train"),
    ),
    (
        "2026-12-05T09:23:00.000020Z",
        DIRECTOR,
        "",
        EntrantLeft(entrant=BO, reason="removed", why=""),
    ),
    (
        "2026-12-05T09:23:00.000020Z",
        "server",
        "",
        EntrantLeft(entrant=BO, reason="absent", why="not checked in"),
    ),
    ("2026-12-05T09:24:00.000021Z", BO, "back", EntrantReturned(entrant=BO, round=3)),
    ("2026-12-05T09:30:00.000022Z", "server", "", BoardsRevealed(board=1, secret=SECRET)),
    ("2026-12-05T09:31:00.000023Z", "server", "", LotsDrawn(secret=SECRET)),
    ("2026-12-05T09:32:00.000024Z", DIRECTOR, "stop", TournamentAborted(why="fire")),
    (
        "2026-12-05T09:32:00.000024Z",
        "server",
        "stop",
        TestEnded(status="no_decision", boards=9, llr=-0.5),
    ),
    ("2026-12-05T09:33:00.000025Z", "server", "", TournamentEnded(reason="aborted")),
)

WITH_DISPUTES: tuple[tuple[str, str, str, TournamentEvent], ...] = (
    (
        "2026-12-14T10:00:00.000001Z",
        "server",
        "",
        SittingAdjusted(
            round=1,
            table=1,
            board=2,
            half=1,
            match="m_6k1v9szrxm3w7j2d5hq0yc4nfa",
            seq=64,
            hash="014db77fbc3d32cc538bce9a633d294a0ca04540e6dee424cbc6dec4539cebf4",
            outcome="first",
            reason="ruling",
            points=BySeat(45, 0),
        ),
    ),
)

WITH_SIGNATURES: tuple[tuple[str, str, str, TournamentEvent], ...] = (
    (
        "2026-12-16T18:00:00.000001Z",
        DIRECTOR,
        "create-1",
        _created(
            TournamentTerms(
                name="Signed", format=Swiss(rounds=3), play=Boards(boards=8), signing="optional"
            )
        ),
    ),
    (
        "2026-12-16T18:01:00.000002Z",
        ANN,
        "enter-1",
        EntrantEntered(
            entrant=ANN,
            name="Ann",
            kind="person",
            seed=1,
            round=1,
            spec="",
            nonce_commitment=ITS_COMMITMENT,
            nonce_by="player",
            key=KEY,
        ),
    ),
    (
        "2026-12-16T18:02:00.000003Z",
        BO,
        "",
        EntrantEntered(
            entrant=BO,
            name="Bo",
            kind="bot",
            seed=2,
            round=1,
            spec="",
            nonce_commitment=ITS_COMMITMENT,
            nonce_by="server",
            key=None,
        ),
    ),
)

HEAD = "06484c5f39e8d96b39c22d913fcffe5078c7cce31ac34da0fde27c66cd208db2"
DISPUTES_HEAD = "b1e423175005bdabb3b5aa8cef8e7f0ac642a5b989d77fecb94b191592cc82e1"

SIGNED_HEAD = "71368cf278dec3f42e28fbb133eb4f06acb953f944852d5971a93cd11bbcc14c"

STORIES = {
    "v1": (FIRST, HEAD, 1),
    "disputes": (WITH_DISPUTES, DISPUTES_HEAD, 1),
    "signed": (WITH_SIGNATURES, SIGNED_HEAD, 2),
}
"""What each file tells, the hash of its last line, and the version that its lines are of."""
PLACES = [(story, place) for story, (told, _, _) in STORIES.items() for place in range(len(told))]


def golden(story: str = "v1") -> list[bytes]:
    """Return the stored lines."""
    return (GOLDEN / f"tournament_forms_{story}.jsonl").read_bytes().splitlines()


@pytest.mark.parametrize(("story", "place"), PLACES)
def test_a_stored_line_means_what_it_meant(story: str, place: int) -> None:
    at, by, cmd, event = STORIES[story][0][place]
    lines = golden(story)
    line = read_tournament_line(lines[place])
    assert line.event == event
    assert (line.at, line.by, line.cmd) == (read_instant(at), by, cmd)
    assert (line.stream, line.seq, line.v) == (STREAM, place + 1, STORIES[story][2])
    assert line.prev == (hashlib.sha256(lines[place - 1]).hexdigest() if place else GENESIS)


@pytest.mark.parametrize(("story", "place"), PLACES)
def test_while_it_is_the_newest_form_it_is_written_so(story: str, place: int) -> None:
    raw = golden(story)[place]
    line = read_tournament_line(raw)
    again = write_line(
        line.stream, line.seq, line.at, line.by, line.cmd, line.event, line.prev, forms=FORMS
    )
    assert (again.raw == raw) == (FORMS.newest(line.event) == (line.type, line.v))
    assert again.event == line.event


@pytest.mark.parametrize("story", STORIES)
def test_the_chain_ends_where_it_ended(story: str) -> None:
    told, head, _ = STORIES[story]
    assert len(golden(story)) == len(told)
    assert hashlib.sha256(golden(story)[-1]).hexdigest() == head


def test_every_event_and_every_version_is_among_them() -> None:
    read = [read_tournament_line(raw) for story in STORIES for raw in golden(story)]
    newest = {line.type: FORMS.newest(line.event)[1] for line in read}
    assert newest.keys() == set(EVENT_TYPES)
    assert {(line.type, line.v) for line in read} == {
        (event, version) for event in newest for version in range(1, newest[event] + 1)
    }


@pytest.mark.parametrize("figure", [b"-1.50", b"-1.5e0", b"-15e-1", b"20", b"2e1", b"0.0500"])
def test_a_figure_has_one_spelling(figure: bytes) -> None:
    raw = golden()[0]
    for right in (b"-1.5", b"20.0", b"0.05"):
        if float(right) == float(figure):
            raw = raw.replace(b":" + right + b",", b":" + figure + b",", 1)
    with pytest.raises(MalformedLineError):
        read_tournament_line(raw)
