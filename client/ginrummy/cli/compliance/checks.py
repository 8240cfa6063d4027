"""What must be so: each check looks at an account, and yields what is not.

They judge what the protocol asks, and not how well a bot plays.
"""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TypeAlias

from ginrummy.cli.compliance.account import Account, Finding
from ginrummy.cli.compliance.record import Said, Sent
from ginrummy.cli.compliance.told import move_told
from ginrummy.cli.tournament.process import Exit
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1.match_pb2 import View
from ginrummy.v1.tournament_service_pb2 import AttendResponse

__all__ = [
    "Check",
    "attends_again",
    "exits",
    "heeds_refusals",
    "joins",
    "keeps_its_session",
    "lives_to_the_end",
    "moves_in_turn",
    "not_refused",
    "one_move_a_decision",
    "sits_at_its_tables",
]

Check: TypeAlias = Callable[[Account], Iterator[Finding]]

STARTED = "Bots that are started for you"
RETRIES = "Retries and reconnections"
LIFE = "The life of a match"
TOURNAMENT = "The life of a tournament"
ERRORS = "Errors"
GONE = "When a program is gone"

_LAST = 6
"""Messages that show where it came to a standstill."""

_GONE = {"SERVER_STOPPING", "STORE_UNREACHABLE"}
"""Reasons of a server that answers nobody just now."""

_NOT_ITS_FAULT = {"STALE_SEQ", "MATCH_OVER", "MATCH_PAUSED", "TIME_OVER", *_GONE}
"""Reasons for which a move is refused that was right when it was decided."""

_ITS_FAULT = {
    "illegal_moves": "its moves were refused too often in a row",
    "crash": "its program was gone",
    "stall": "it did not move",
    "time": "its time ran out",
    "no_show": "it did not come",
}


# --- in every scenario ----------------------------------------------------------------------------


def lives_to_the_end(account: Account) -> Iterator[Finding]:
    """Find a process that ends before the tournament, or a table lost but by the rules."""
    last = tuple(account.record.said[-_LAST:])
    if account.exit is not None and not account.is_over:
        seen = f"it ended with {_exit_told(account.exit)} in the middle"
        yield Finding("the process runs until the tournament is over", seen, STARTED, last)
        return
    if not account.record.attended():
        yield Finding(
            "it opens an Attend stream", f"none in {account.seconds:.0f} s", TOURNAMENT, last
        )
    elif not account.is_over:
        seen = f"it was not over after {account.seconds:.0f} s; these were the last messages"
        yield Finding("the bot plays until the tournament is over", seen, LIFE, last)
    for sitting in account.sittings:
        if sitting.reason in _ITS_FAULT and account.lost(sitting):
            shown = tuple(_about(account, sitting.match))[-_LAST:]
            seen = f"it lost {_place(sitting)}: {_ITS_FAULT[sitting.reason]}"
            yield Finding("every table is played to its end", seen, LIFE, shown)
    if account.exit is not None and account.is_over and account.exit.how != "0":
        yield _bad_exit(account)


def keeps_its_session(account: Account) -> Iterator[Finding]:
    """Find an Attend under another session than the process was given."""
    for request in account.record.attended():
        if request.session_id != account.session:
            yield Finding(
                f"every Attend names the session_id of GINRUMMY_SESSION, {account.session}",
                f"it was {request.session_id!r}",
                GONE,
                tuple(said for said in account.record.said if said.message is request),
            )
            return


def not_refused(account: Account) -> Iterator[Finding]:
    """Find a refused move that the views told to avoid."""
    for refused in account.record.refused():
        if refused.reason in _NOT_ITS_FAULT or (
            not refused.request_id and refused.reason == "NOT_ALLOWED_NOW"
        ):
            continue
        sent = [
            move.said for move in account.record.moves() if move.request_id == refused.request_id
        ]
        yield Finding(
            "a move is one of those in the view's LegalMoves",
            f"one was refused: {refused.reason}",
            LIFE,
            (*sent[-1:], refused.said),
        )
        return


# --- moves ----------------------------------------------------------------------------------------


def moves_in_turn(account: Account) -> Iterator[Finding]:
    """Find a move that answers no view which gave the bot something to decide."""
    for sent in account.record.moves():
        views = [
            shown
            for shown in account.record.shown()
            if shown.view.match_id == sent.match_id
            and shown.view.seq == sent.seq
            and shown.said.at <= sent.said.at
        ]
        if sent.move.HasField("resign") or any(_asks(shown.view) for shown in views):
            continue
        seen = f"it sent {move_told(sent.move)} for event {sent.seq}"
        seen += ", when it was not to decide" if views else ", of which it had no view"
        yield Finding(
            "a move goes out when the view has hand.legal and the clock is not paused",
            seen,
            LIFE,
            (*(shown.said for shown in views[-1:]), sent.said),
        )
        return


def one_move_a_decision(account: Account) -> Iterator[Finding]:
    """Find a second move, or a second request id, for one decision."""

    def decision(sent: Sent) -> tuple[str, int]:
        return sent.match_id, sent.seq

    refused = {
        each.request_id: each.said.at
        for each in account.record.refused()
        if each.reason not in _GONE
    }
    moves = [sent for sent in account.record.moves() if not sent.move.HasField("resign")]
    for _, group in groupby(sorted(moves, key=decision), decision):
        first, *others = group
        for other in others:
            same_id = other.request_id == first.request_id
            if same_id and other.move == first.move:
                continue
            if refused.get(first.request_id, other.said.at) < other.said.at:
                # It was told that the first one was not made.
                first = other
                continue
            what = "another move" if other.move != first.move else "it"
            seen = f"it sent {what} under {'the same' if same_id else 'another'} request id"
            expected = "a move of which no answer has come is sent again as it was, id and all"
            yield Finding(expected, seen, RETRIES, (first.said, other.said))
            return


def heeds_refusals(account: Account) -> Iterator[Finding]:
    """Find a move that is sent on and on though it was refused for what it was decided on."""
    for refused in account.record.refused():
        if refused.reason not in ("STALE_SEQ", "MATCH_PAUSED"):
            continue
        again = [
            sent.said
            for sent in account.record.moves()
            if sent.request_id == refused.request_id and sent.said.at > refused.said.at
        ]
        # One may have been on its way.
        if len(again) > 1:
            yield Finding(
                "after a refusal the present view is waited for, and a new decision made",
                f"it sent the same {len(again)} times more",
                ERRORS,
                (refused.said, *again[:2]),
            )
            return


# --- attending ------------------------------------------------------------------------------------


def attends_again(account: Account) -> Iterator[Finding]:
    """Find an Attend stream that broke off and was not opened again."""
    if account.happened and len(account.record.attended()) < 2:
        broken = (said for said in account.record.said if said.method == "Attend")
        yield Finding(
            "an Attend stream that breaks off is opened again",
            "it was opened once",
            TOURNAMENT,
            tuple(broken),
        )


def sits_at_its_tables(account: Account) -> Iterator[Finding]:
    """Find a call to a table that was not heeded."""
    moved = {sent.match_id for sent in account.record.moves()}
    for said in account.record.said:
        match said.message:
            case AttendResponse(call=call) if said.message.HasField("call"):
                if call.match_id in moved:
                    continue
                yield Finding(
                    "it plays at every table that it is called to",
                    f"it made no move in {call.match_id}",
                    TOURNAMENT,
                    (said,),
                )
                return
            case _:
                pass


def joins(account: Account) -> Iterator[Finding]:
    """Find a match that was not joined, or another nonce than was committed to."""
    requests = [
        said for said in account.record.said if isinstance(said.message, matches.JoinMatchRequest)
    ]
    if not requests:
        yield Finding(
            "a match of a call without a board is joined: JoinMatch", "it was not", TOURNAMENT
        )
    last = tuple(said for said in account.record.said if said.reason == "NONCE_MISMATCH")
    last += tuple(
        refused.said for refused in account.record.refused() if refused.reason == "NONCE_MISMATCH"
    )
    if last:
        seen = "another nonce was"
        yield Finding("the nonce committed to in JoinMatch is revealed", seen, LIFE, last)


def exits(account: Account) -> Iterator[Finding]:
    """Find a process that does not end by itself once the tournament is over."""
    if not account.is_over:
        return
    last = tuple(said for said in account.record.said if said.method == "Attend")[-2:]
    if account.exit is None:
        yield Finding(
            "the process ends with 0 once the tournament is over",
            "it went on running",
            STARTED,
            last,
        )


# --- words ----------------------------------------------------------------------------------------


def _bad_exit(account: Account) -> Finding:
    assert account.exit is not None
    seen = f"it ended with {_exit_told(account.exit)}"
    return Finding("the process ends with 0 once the tournament is over", seen, STARTED)


def _exit_told(ended: Exit) -> str:
    """Return how a process ended, with what it said last of an error."""
    words = [line.strip() for line in ended.last_words.splitlines() if line.strip()]
    errors = [line for line in words if "rror" in line]
    last = (errors or words)[-1:]
    return f"{ended.how} (it said: {last[0]})" if last else ended.how


def _asks(view: View) -> bool:
    return view.hand.HasField("legal") and not view.clock.paused


def _about(account: Account, match_id: str) -> Iterator[Said]:
    """Yield the messages of one match, as far as they name it, with the ends of their calls."""
    calls = {sent.said.call for sent in account.record.moves() if sent.match_id == match_id}
    calls |= {
        shown.said.call for shown in account.record.shown() if shown.view.match_id == match_id
    }
    yield from (said for said in account.record.said if said.call in calls)


def _place(sitting: SittingEnded) -> str:
    return f"the hand at seat {'01'[sitting.half - 1]}" if sitting.half else "the match"
