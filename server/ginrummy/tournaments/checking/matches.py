"""Each sitting held against its match's own log: that line, that end, those terms, those seats."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from ginrummy.log.errors import LineError
from ginrummy.log.fold import Fold
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.rules.cards import BySeat
from ginrummy.rules.disputes.events import ResultAdjusted
from ginrummy.rules.events import Board, MatchCreated, MatchEnded, PlayerJoined, SecretRevealed
from ginrummy.rules.match import Ended, Instant
from ginrummy.tables.room import match_id_for
from ginrummy.tournaments.checking.actors import SERVER
from ginrummy.tournaments.checking.findings import Findings
from ginrummy.tournaments.checking.words import differences
from ginrummy.tournaments.event import Sitting, Tournament
from ginrummy.tournaments.event.events import SittingAdjusted, SittingEnded
from ginrummy.tournaments.results import EndReason, Outcome
from ginrummy.tournaments.running.outcomes import sitting_adjusted, sitting_ended

__all__ = ["MatchLog", "Matches", "Told"]

MatchLog = Callable[[str], Iterable[bytes] | None]
"""Gives a match's lines by its id; None where they are not at hand."""


class Told(msgspec.Struct):
    """What a match's log tells of a sitting, up to the line that the tournament names."""

    created: MatchCreated
    created_at: Instant
    created_by: str
    keys: list[str | None]
    """The players' public keys, as they sat down."""
    ended_at: Instant | None = None
    match: Ended | None = None
    """The match at that line, if it had ended by then."""
    hash: str = ""
    """The hash of that line; empty where the log does not reach it."""
    secret_out_at: Instant | None = None
    """When its hand's secret came out, if it is out."""
    says_result: bool = False
    """Whether that line says what the result is by a ruling."""
    end: Ended | None = None
    """The match as its log leaves it, if it has ended."""
    adjusted: tuple[int, str] | None = None
    """The number and the hash of the last line that says what the result is by a ruling."""


_Worth = tuple[Outcome, EndReason, BySeat[int]]
"""What a sitting comes to."""


class Matches:
    """All matches of a tournament as far as its sittings have been recorded."""

    def __init__(self, findings: Findings, match_log: MatchLog) -> None:
        """Take the logs from `match_log`, one at a time."""
        self.read = 0
        """How many matches' logs were at hand."""
        self._findings = findings
        self._match_log = match_log
        self._sittings: dict[str, int] = {}
        self._ruled: dict[str, _Worth] = {}
        self._recorded: dict[str, _Worth] = {}

    @property
    def not_taken_over(self) -> list[str]:
        """The matches of which the tournament does not have what rulings have made of them."""
        return [match for match, worth in self._ruled.items() if self._recorded[match] != worth]

    def judge(self, tournament: Tournament, event: SittingEnded, seq: int) -> Told | None:
        """Compare a sitting with its match; return what that tells, or None."""
        pairing = tournament.pairing(event.round, event.table)
        if pairing is None:
            return None
        sitting = Sitting(pairing, event.board, event.half)
        if not self._is_its_own(tournament.id, sitting, event, seq):
            return None
        lines = self._match_log(event.match)
        if lines is None:
            return None
        self.read += 1
        self._findings.counts["matches"] += 1
        told = self._told(event, lines, seq)
        self._recorded[event.match] = _worth(event)
        if told is not None:
            self._compare(tournament, sitting, event, told, seq)
            self._note_rulings(tournament, sitting, told, event.match)
        return told

    def judge_ruling(self, tournament: Tournament, event: SittingAdjusted, seq: int) -> None:
        """Compare what a ruling has made of a sitting with what its match's log says."""
        pairing = tournament.pairing(event.round, event.table)
        lines = self._match_log(event.match)
        if pairing is None or lines is None:
            return
        told = self._told(event, lines, seq)
        if told is None:
            return
        self._recorded[event.match] = _worth(event)
        what = f"{event.match}: its line {event.seq}"
        if told.hash != event.hash:
            message = f"{what} has the hash {told.hash or 'of none'}, not {event.hash}"
            self._findings.fault("rulings", seq, message)
        elif told.match is None or not told.says_result:
            self._findings.fault("rulings", seq, f"{what} says no result by a ruling")
        else:
            sitting = Sitting(pairing, event.board, event.half)
            last = (event.match, event.seq, event.hash)
            right = sitting_adjusted(sitting, tournament.terms.play, told.match, last)
            if event != right:
                message = f"{event.match}: {differences(event, right)}"
                self._findings.fault("rulings", seq, message)

    def _note_rulings(
        self, tournament: Tournament, sitting: Sitting, told: Told, match: str
    ) -> None:
        """Note what a match's rulings make of its sitting, unless a hand is still played again."""
        if told.end is None or told.adjusted is None:
            return
        if not any(dispute.awaits_replay for dispute in told.end.disputes):
            last = (match, *told.adjusted)
            worth = sitting_adjusted(sitting, tournament.terms.play, told.end, last)
            self._ruled[match] = _worth(worth)

    def _is_its_own(self, tournament: str, sitting: Sitting, event: SittingEnded, seq: int) -> bool:
        """Check that a sitting names the match that was opened for it, and nobody else's."""
        if not event.match:
            if event.seq or event.hash:
                self._findings.fault("sittings", seq, "a line of a match that is not named")
            return False
        before = self._sittings.setdefault(event.match, seq)
        if before != seq:
            message = f"{event.match} is the match of the sitting of event {before} already"
            self._findings.fault("sittings", seq, message)
            return False
        expected = match_id_for(SERVER, sitting.request_id(tournament))
        if event.match != expected:
            message = f"its match is {event.match}, but has to be {expected}"
            self._findings.fault("sittings", seq, message)
            return False
        return True

    # --- reading ------------------------------------------------------------------------------

    def _told(
        self, event: SittingEnded | SittingAdjusted, lines: Iterable[bytes], seq: int
    ) -> Told | None:
        """Read a match's log; None, with a fault, where it cannot be followed."""
        fold, told = Fold(), None
        try:
            for raw in lines:
                line = read_line(raw)
                _check_follows(fold, line, event.match)
                match = fold.add(line)
                told = told or _begun(line)
                _note(told, line)
                told.end = match if isinstance(match, Ended) else None
                if line.seq == event.seq:
                    told.hash, told.match = line.hash, told.end
                    told.says_result = isinstance(line.event, ResultAdjusted)
        except (LineError, ValueError) as error:
            message = f"the log of {event.match} cannot be followed: {error}"
            self._findings.fault("matches", seq, message)
            return None
        if told is None:
            self._findings.fault("matches", seq, f"the log of {event.match} is empty")
        return told

    # --- comparing ------------------------------------------------------------------------------

    def _compare(
        self,
        tournament: Tournament,
        sitting: Sitting,
        event: SittingEnded,
        told: Told,
        seq: int,
    ) -> None:
        def fault(message: str) -> None:
            self._findings.fault("matches", seq, f"{event.match}: {message}")

        if told.created_by != SERVER:
            fault(f"it was opened by {told.created_by}, not by the server")
        wrong = _wrong_terms(tournament, sitting, told.created)
        if wrong:
            fault(wrong)
        wrong = _wrong_keys(tournament, sitting, told.keys) if sitting.board else ""
        if wrong:
            fault(wrong)
        if told.hash != event.hash:
            what = f"line {event.seq} has the hash {told.hash}" if told.hash else "it has no line"
            fault(f"{what}, but the tournament names {event.seq}:{event.hash}")
        elif told.match is None:
            fault(f"it had not ended at its line {event.seq}")
        else:
            last = (event.match, event.seq, event.hash)
            # Whether a seat that lost on time ever came to the table its log does not say.
            rights = [
                sitting_ended(sitting, tournament.terms.play, told.match, last, silent)
                for silent in (None, 0, 1)
            ]
            if event not in rights:
                fault(differences(event, rights[0]))


def _check_follows(fold: Fold, line: MatchLine, match: str) -> None:
    """Raise ValueError for a line that is not the next one of that match."""
    if line.stream != match:
        raise ValueError(f"a line of {line.stream}")
    if line.seq != fold.seq + 1 or line.prev != fold.hash:
        raise ValueError(f"line {line.seq} is not linked to line {fold.seq}")


def _begun(line: MatchLine) -> Told:
    if not isinstance(line.event, MatchCreated):
        raise ValueError("its first line does not create a match")
    return Told(line.event, line.at, line.by, [None, None])


def _note(told: Told, line: MatchLine) -> None:
    if isinstance(line.event, PlayerJoined):
        told.keys[line.event.seat] = line.event.key
    elif isinstance(line.event, MatchEnded):
        told.ended_at = line.at
    elif isinstance(line.event, SecretRevealed):
        told.secret_out_at = line.at
    elif isinstance(line.event, ResultAdjusted):
        told.adjusted = line.seq, line.hash


def _worth(event: SittingEnded | SittingAdjusted) -> _Worth:
    return event.outcome, event.reason, event.points


def _wrong_keys(tournament: Tournament, sitting: Sitting, keys: Sequence[str | None]) -> str:
    """Say who sits at a board with another key than they have entered with; empty if nobody."""
    entered = {each.id: each.key for each in tournament.entries}
    return "; ".join(
        f"{entrant} sits down with the key {key or 'of nobody'}, and has entered with"
        f" {entered[entrant] or 'none'}"
        for entrant, key in zip(sitting.seats, keys, strict=True)
        if entrant in entered and key != entered[entrant]
    )


def _wrong_terms(tournament: Tournament, sitting: Sitting, created: MatchCreated) -> str:
    """Say what of a match's terms is not the tournament's; empty where all is."""
    terms, board = tournament.terms, None
    if sitting.board:
        board = Board(tournament.id, sitting.board, tournament.mix)
    right = msgspec.structs.replace(
        created,
        rules=terms.rules,
        clock=terms.clock,
        limits=terms.limits,
        reveal="director" if sitting.board else "match",
        commitment=tournament.commitment if sitting.board else created.commitment,
        chain=tournament.chain if sitting.board else created.chain,
        board=board,
        first_dealer=None if sitting.board or sitting.pairing.dealt_by_lot else 0,
        seats=sitting.seats,
        signing=terms.signing,
        origin=None,
    )
    return differences(created, right)
