"""What is refused in which state of a tournament; whatever is refused changes nothing (E6)."""

from collections.abc import Callable, Mapping

import pytest
from support_tournament_events import START, Simulation, terms_of

from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.errors import (
    InvalidEntryError,
    InvalidPairingError,
    InvalidResultError,
    InvalidTermsError,
    NotNowError,
    TournamentError,
    UnknownEntrantError,
)
from ginrummy.tournaments.event import Command, Elsewhere, Matches, TournamentTerms, decide
from ginrummy.tournaments.event.commands import (
    Abort,
    CallOffTest,
    CheckIn,
    CloseRegistration,
    Create,
    DrawLots,
    End,
    EndByHand,
    EndSitting,
    Enter,
    Leave,
    Pair,
    PairByHand,
    Pause,
    Resume,
    Return,
    RevealBoards,
    RevealNonce,
    Rule,
    Seed,
    Settle,
    Start,
)
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.event.schedule import chain_length
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.formats import Format
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.scoring import Scoring
from ginrummy.tournaments.standings import Terms as StandingsTerms
from ginrummy.tournaments.statistics.sprt import Sprt

# --- the states ---------------------------------------------------------------------------------


def _swiss() -> TournamentTerms:
    return terms_of(Swiss(rounds=2), 1, round_ms=3_600_000)


def registration() -> Simulation:
    return Simulation(_swiss(), entrants=4)


def nonces() -> Simulation:
    played = registration()
    played.act(CloseRegistration(), played.director)
    return played


def between() -> Simulation:
    return registration().started()


def round_open() -> Simulation:
    played = between()
    played.step()
    return played


def paused() -> Simulation:
    played = round_open()
    played.act(Pause(), played.director)
    return played


def aborted() -> Simulation:
    played = round_open()
    played.act(Abort("enough"), played.director)
    return played


def ended() -> Simulation:
    return round_open().finish()


STATES: Mapping[str, Callable[[], Simulation]] = {
    each.__name__: each
    for each in (registration, nonces, between, round_open, paused, aborted, ended)
}

# --- the commands -------------------------------------------------------------------------------

NOBODY = "p_00000000000000000000000000"


def _enter(played: Simulation) -> Command:
    return Enter(NOBODY, "Nobody", "bot", "", "ab" * 32, "player")


def _pair_by_hand(played: Simulation) -> Command:
    one, another = played.ids[:2]
    return PairByHand(((one, another),))


def _end_sitting(played: Simulation) -> Command:
    return EndSitting(SittingEnded(1, 1, 1, 2, "", 0, "", "draw", "played", BySeat(0, 0), "first"))


def _reveal_boards(played: Simulation) -> Command:
    return RevealBoards(1, played.chain.secret(1).hex())


COMMANDS: Mapping[str, tuple[Callable[[Simulation], Command], set[str]]] = {
    "create": (lambda _: Create(_swiss(), "00" * 32, 2, "00" * 32), set()),
    "enter": (_enter, {"registration", "between", "round_open", "paused"}),
    "check in": (lambda played: CheckIn(played.ids[0]), {"registration"}),
    "seed": (lambda played: Seed(tuple(played.ids)), {"registration"}),
    "close": (lambda _: CloseRegistration(), {"registration"}),
    "reveal a nonce": (
        lambda played: RevealNonce(played.ids[0], played.nonces[played.ids[0]].hex()),
        set(STATES) - {"registration"},
    ),
    "leave": (lambda played: Leave(played.ids[0], "withdrew"), set(STATES) - {"ended"}),
    "return": (lambda played: Return(played.ids[0]), set()),
    "start": (lambda _: Start(), {"nonces"}),
    "pair": (lambda _: Pair(), {"between"}),
    "pair by hand": (_pair_by_hand, {"between"}),
    "end a sitting": (_end_sitting, {"round_open", "paused", "aborted", "ended"}),
    "settle": (
        lambda _: Settle(1, 1, "round_clock"),
        {"round_open", "paused", "aborted", "ended"},
    ),
    "rule": (
        lambda _: Rule(1, 1, "first", None, "seen"),
        {"round_open", "paused", "aborted", "ended"},
    ),
    "call the test off": (lambda _: CallOffTest(), set()),
    "reveal boards": (_reveal_boards, {"ended"}),
    "draw lots": (lambda played: DrawLots(played.lots.hex()), {"ended"}),
    "pause": (lambda _: Pause(), {"between", "round_open"}),
    "resume": (lambda _: Resume(), {"paused"}),
    "abort": (lambda _: Abort("enough"), set(STATES) - {"aborted", "ended"}),
    "end": (lambda _: End("complete"), {"between", "ended"}),
    "end by hand": (lambda _: EndByHand(), set()),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_refused_where_it_has_no_place(name: str, state: str) -> None:
    made, allowed = COMMANDS[name]
    played = STATES[state]()
    command, before = made(played), played.tournament
    if state in allowed:
        decide(played.tournament, command, played.at)
    else:
        assert str(played.refused(command))
    assert played.tournament is before


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "create"])
def test_nothing_can_be_asked_of_a_tournament_that_there_is_not(name: str) -> None:
    command = COMMANDS[name][0](registration())
    with pytest.raises(NotNowError):
        decide(None, command, START)


# --- what is wrong whenever it comes ------------------------------------------------------------


def _ids(played: Simulation, *places: int) -> tuple[str, ...]:
    return tuple(played.ids[place] for place in places)


WRONG: tuple[tuple[str, Callable[[Simulation], Command], type[TournamentError]], ...] = (
    ("registration", lambda p: Enter(p.ids[0], "Twice", "bot", "", "ab" * 32, "player"),
     InvalidEntryError),
    ("registration", lambda _: CheckIn(NOBODY), UnknownEntrantError),
    ("registration", lambda p: Seed(_ids(p, 0, 1, 2)), InvalidEntryError),
    ("registration", lambda p: Seed(_ids(p, 0, 1, 2, 2)), InvalidEntryError),
    ("registration", lambda p: Seed((*_ids(p, 0, 1, 2), NOBODY)), UnknownEntrantError),
    ("registration", lambda _: Leave(NOBODY, "removed"), UnknownEntrantError),
    ("nonces", lambda p: RevealNonce(p.ids[0], "ab" * 16), InvalidEntryError),
    ("nonces", lambda p: RevealNonce(p.ids[0], "ab" * 5), InvalidEntryError),
    ("nonces", lambda _: RevealNonce(NOBODY, "ab" * 16), UnknownEntrantError),
    ("between", lambda _: PairByHand(()), InvalidPairingError),
    ("between", lambda p: PairByHand(((p.ids[0], p.ids[0]),)), InvalidPairingError),
    ("between", lambda p: PairByHand(((p.ids[0], NOBODY),)), UnknownEntrantError),
    ("between", lambda p: PairByHand(((p.ids[0], p.ids[1]), (p.ids[1], p.ids[2]))),
     InvalidPairingError),
    ("round_open", lambda p: EndSitting(_sitting(p, table=7)), InvalidPairingError),
    ("round_open", lambda p: EndSitting(_sitting(p, board=2)), InvalidPairingError),
    ("round_open", lambda p: EndSitting(_sitting(p, board=0)), InvalidPairingError),
    ("round_open", lambda p: EndSitting(_sitting(p, half=0)), InvalidPairingError),
    ("round_open", lambda p: EndSitting(_sitting(p, outcome="void")), InvalidResultError),
    ("round_open", lambda p: EndSitting(_sitting(p, outcome="neither")), InvalidResultError),
    ("round_open", lambda p: EndSitting(_sitting(p, reason="crash")), InvalidResultError),
    ("round_open", lambda _: Settle(1, 1, "complete"), NotNowError),
    ("round_open", lambda _: Settle(1, 3, "complete"), InvalidPairingError),
    ("round_open", lambda _: Settle(1, 1, "withdrawn"), InvalidPairingError),
    ("round_open", lambda p: Settle(1, 1, "crash", (NOBODY,)), InvalidPairingError),
    ("round_open", lambda p: Settle(1, 1, "withdrawn", _ids(p, 0)), NotNowError),
    ("round_open", lambda _: Settle(1, 1, "aborted"), NotNowError),
    ("round_open", lambda _: Settle(1, 1, "decided"), NotNowError),
    ("ended", lambda p: RevealBoards(1 + _last(p), p.chain.secret(2).hex()), NotNowError),
    ("ended", lambda _: DrawLots("00" * 32), NotNowError),
)  # fmt: skip


def _last(played: Simulation) -> int:
    return max(each.board for each in played.tournament.sittings)


def _sitting(played: Simulation, **changes: object) -> SittingEnded:
    fields: dict[str, object] = {
        "round": 1, "table": 1, "board": 1, "half": 1, "match": "", "seq": 0, "hash": "",
        "outcome": "draw", "reason": "played", "points": BySeat(0, 0), "dealer": None,
    }  # fmt: skip
    return SittingEnded(**fields | changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("place", "state", "made", "error"), [(i, *each) for i, each in
                                                               enumerate(WRONG)])  # fmt: skip
def test_what_is_wrong_is_refused(
    place: int,
    state: str,
    made: Callable[[Simulation], Command],
    error: type[TournamentError],
) -> None:
    played = STATES[state]()
    if state == "ended":
        played = ended_without_secrets()
    assert type(played.refused(made(played))) is error


KEY = "1a" * 32


@pytest.mark.parametrize(
    ("terms", "key"),
    [
        (terms_of(), KEY),
        (terms_of(signing="required"), None),
        (terms_of(play=Matches()), KEY),
        (terms_of(play=Matches(), signing="required"), KEY),
    ],
)
def test_one_enters_with_a_key_where_moves_on_boards_are_signed(
    terms: TournamentTerms, key: str | None
) -> None:
    played = Simulation(terms)
    entering = Enter(NOBODY, "Ann", "bot", "", "ab" * 32, "player", key)
    assert isinstance(played.refused(entering), InvalidEntryError)
    played.enter(key=None if key else KEY)


def test_moves_that_are_made_elsewhere_cannot_be_signed() -> None:
    with pytest.raises(InvalidTermsError, match="signing"):
        terms_of(play=Elsewhere(), signing="optional")


def ended_without_secrets() -> Simulation:
    """Return a tournament that has ended, with nothing let out."""
    played = round_open()
    while played.tournament.stage != "ended":
        played.step()
    return played


def test_the_secret_of_boards_that_comes_out_is_the_committed_one() -> None:
    played = Simulation(terms_of(Elimination(), 2), entrants=2).started()
    while played.tournament.stage != "ended":
        played.step()
    last = _last(played)
    assert isinstance(played.refused(RevealBoards(last, "00" * 32)), NotNowError)
    assert isinstance(
        played.refused(RevealBoards(last, played.chain.secret(last - 1).hex())), NotNowError
    )


def test_who_has_left_leaves_once_and_who_is_there_does_not_return() -> None:
    played = between()
    one = played.ids[0]
    assert isinstance(played.refused(Return(one)), NotNowError)
    played.act(Leave(one, "withdrew"), one)
    assert isinstance(played.refused(Leave(one, "withdrew")), NotNowError)
    played.act(Return(one), one)
    assert played.tournament.entry(one).here


def test_who_left_before_the_start_does_not_come_back_after_it() -> None:
    played = registration()
    one = played.ids[0]
    played.act(CloseRegistration(), played.director)
    played.act(Leave(one, "withdrew"), one)
    assert isinstance(played.refused(Return(one)), NotNowError)
    for each in played.ids[1:]:
        played.reveal_nonce(each)
    played.step()
    assert played.tournament.stage == "playing"
    assert isinstance(played.refused(Return(one)), NotNowError)
    played.finish()
    assert all(one not in each.named for each in played.tournament.rounds)


def test_who_does_not_reveal_a_nonce_is_left_out() -> None:
    played = nonces()
    silent, *others = played.ids
    for each in others:
        played.reveal_nonce(each)
    assert not played.step(), "the runner decides how long to wait"
    played.act(Start())
    assert played.tournament.entry(silent).left == "absent"
    played.finish()
    assert all(silent not in each.named for each in played.tournament.rounds)


def test_a_nonce_that_is_out_stays_in_the_boards_when_its_entrant_leaves() -> None:
    played = nonces()
    gone, *others = played.ids
    played.reveal_nonce(gone)
    played.act(Leave(gone, "withdrew"), gone)
    for each in others:
        played.reveal_nonce(each)
    played.step()
    with_all = Simulation(_swiss(), entrants=4).started()
    assert played.tournament.mix == with_all.tournament.mix
    assert gone not in played.tournament.starters


def test_who_has_to_check_in_and_does_not_is_left_out() -> None:
    played = Simulation(terms_of(check_in=True), entrants=4)
    for each in played.ids[:3]:
        played.act(CheckIn(each), each)
    played.act(CheckIn(played.ids[0]), played.ids[0])
    assert len(played.lines) == 8, "who has checked in has done so"
    played.act(CloseRegistration(), played.director)
    assert played.tournament.entry(played.ids[3]).left == "absent"


@pytest.mark.parametrize("entrants", [0, 1])
def test_a_tournament_takes_two(entrants: int) -> None:
    played = Simulation(terms_of(), entrants=entrants)
    assert isinstance(played.refused(CloseRegistration()), NotNowError)


@pytest.mark.parametrize("format_", [RoundRobin(), Elimination()], ids=str)
def test_formats_with_a_schedule_have_no_late_entry_and_no_pairing_by_hand(
    format_: Format,
) -> None:
    played = Simulation(terms_of(format_), entrants=4).started()  # type: ignore[arg-type]
    assert isinstance(played.refused(_enter(played)), NotNowError)
    assert isinstance(played.refused(_pair_by_hand(played)), NotNowError)


def test_a_round_without_a_limit_is_never_over_by_it() -> None:
    played = Simulation(terms_of(), entrants=2).started()
    played.step()
    assert isinstance(played.refused(Settle(1, 1, "round_clock")), NotNowError)


def test_what_is_played_elsewhere_has_no_sittings() -> None:
    played = Simulation(terms_of(play=Elsewhere()), entrants=2).started()
    played.step()
    assert isinstance(played.refused(_end_sitting(played)), InvalidPairingError)
    assert isinstance(played.refused(Settle(1, 1, "complete")), NotNowError)
    assert not played.step()


def test_where_the_director_pairs_the_director_ends() -> None:
    played = Simulation(terms_of(Manual(), 1), entrants=2)
    assert isinstance(played.refused(EndByHand()), NotNowError)
    played.started()
    played.act(_pair_by_hand(played), played.director)
    assert isinstance(played.refused(EndByHand()), NotNowError)
    while played.tournament.undecided:
        played.step()
    played.act(EndByHand(), played.director)
    assert played.tournament.end_reason == "complete"
    assert isinstance(played.refused(EndByHand()), NotNowError)


def test_a_pair_that_has_played_every_board_does_not_meet_again() -> None:
    played = Simulation(terms_of(Manual(), 1), entrants=2).started()
    for _ in range(12):
        played.act(_pair_by_hand(played), played.director)
        while played.tournament.undecided:
            played.step()
    assert isinstance(played.refused(_pair_by_hand(played)), InvalidPairingError)


# --- terms --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "made"),
    [
        ("boards", lambda: terms_of(boards=0)),
        ("boards", lambda: terms_of(boards=100_001)),
        ("sprt", lambda: terms_of(play=Matches(), sprt=Sprt(h0=0, h1=5))),
        ("tables", lambda: terms_of(tables=-1)),
        ("round_ms", lambda: terms_of(round_ms=0)),
        ("arrival_ms", lambda: terms_of(arrival_ms=0)),
        ("format", lambda: terms_of(Swiss(rounds=2), standings=StandingsTerms(Scoring(win=3)))),
        ("boards", lambda: chain_length(Swiss(rounds=11), 100_000)),
    ],
)
def test_terms_that_cannot_be_are_refused_with_their_field(
    field: str, made: Callable[[], object]
) -> None:
    with pytest.raises(InvalidTermsError) as refused:
        made()
    assert refused.value.field == field
