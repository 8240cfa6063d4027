"""Tournaments as messages: where they stand, who plays whom, what is told of it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from ginrummy.api.errors import InvalidFieldError
from ginrummy.api.tournament_terms_messages import tournament_terms_message
from ginrummy.api.wire import timestamp
from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.entrants import Pairing, Round
from ginrummy.tournaments.event.events import EntrantKind
from ginrummy.tournaments.event.states import Entry, Stage, Tournament
from ginrummy.tournaments.event.terms import Elsewhere
from ginrummy.tournaments.results import EndReason, MatchKey, Outcome
from ginrummy.tournaments.running.attendance import Call
from ginrummy.tournaments.running.news import News, NonceDue, Over
from ginrummy.tournaments.running.pace import Progress
from ginrummy.v1 import tournament_pb2 as pb
from ginrummy.v1 import tournament_service_pb2 as calls

__all__ = [
    "OUTCOMES",
    "REASONS",
    "STAGES",
    "kind_from",
    "list_message",
    "news_message",
    "outcome_from",
    "points_from",
    "progress_message",
    "tournament_message",
    "tournament_stage_from",
]

STAGES: Mapping[Stage, pb.TournamentStage.ValueType] = {
    "registration": pb.TOURNAMENT_STAGE_REGISTRATION,
    "nonces": pb.TOURNAMENT_STAGE_NONCES,
    "playing": pb.TOURNAMENT_STAGE_PLAYING,
    "ended": pb.TOURNAMENT_STAGE_ENDED,
}

OUTCOMES: Mapping[Outcome, pb.Outcome.ValueType] = {
    "first": pb.OUTCOME_FIRST,
    "second": pb.OUTCOME_SECOND,
    "draw": pb.OUTCOME_DRAW,
    "neither": pb.OUTCOME_NEITHER,
    "void": pb.OUTCOME_VOID,
}

REASONS: Mapping[EndReason, pb.ResultReason.ValueType] = {
    "played": pb.RESULT_REASON_PLAYED,
    "resigned": pb.RESULT_REASON_RESIGNED,
    "time": pb.RESULT_REASON_TIME,
    "illegal_moves": pb.RESULT_REASON_ILLEGAL_MOVES,
    "crash": pb.RESULT_REASON_CRASH,
    "stall": pb.RESULT_REASON_STALL,
    "no_show": pb.RESULT_REASON_NO_SHOW,
    "withdrawn": pb.RESULT_REASON_WITHDRAWN,
    "round_clock": pb.RESULT_REASON_ROUND_CLOCK,
    "ruling": pb.RESULT_REASON_RULING,
    "aborted": pb.RESULT_REASON_ABORTED,
}

_KINDS: Mapping[EntrantKind, pb.EntrantKind.ValueType] = {
    "bot": pb.ENTRANT_KIND_BOT,
    "person": pb.ENTRANT_KIND_PERSON,
}

_KIND_OF = {value: kind for kind, value in _KINDS.items()}
_OUTCOME_OF = {value: outcome for outcome, value in OUTCOMES.items()}
_STAGE_OF = {value: stage for stage, value in STAGES.items()}

_MOST_POINTS = 1_000_000


# --- from requests ------------------------------------------------------------------------------


def kind_from(value: pb.EntrantKind.ValueType) -> EntrantKind:
    """Return who plays for an entrant; a bot where nothing is said."""
    if value == pb.ENTRANT_KIND_UNSPECIFIED:
        return "bot"
    kind = _KIND_OF.get(value)
    if kind is None:
        raise InvalidFieldError("kind", f"{value} is neither a bot nor a person")
    return kind


def outcome_from(value: pb.Outcome.ValueType) -> Outcome:
    """Return how a director rules; a ruling without an outcome is refused."""
    outcome = _OUTCOME_OF.get(value)
    if outcome is None:
        raise InvalidFieldError(
            "outcome", "a ruling says how the match came out: first, second, draw, neither, void"
        )
    return outcome


def points_from(points: Iterable[int]) -> BySeat[int] | None:
    """Return what the first and the second scored by a ruling; None for as they stand."""
    scored = list(points)
    if not scored:
        return None
    if len(scored) != 2:
        raise InvalidFieldError("points", f"{len(scored)} of them: the first's and the second's")
    for index, each in enumerate(scored):
        if not 0 <= each <= _MOST_POINTS:
            raise InvalidFieldError(f"points[{index}]", f"{each} is not from 0 to {_MOST_POINTS}")
    return BySeat(scored[0], scored[1])


def tournament_stage_from(value: pb.TournamentStage.ValueType) -> Stage | None:
    """Return the stage that a list is narrowed to; None for any."""
    if value == pb.TOURNAMENT_STAGE_UNSPECIFIED:
        return None
    stage = _STAGE_OF.get(value)
    if stage is None:
        raise InvalidFieldError("stage", f"{value} is no stage")
    return stage


# --- a tournament -------------------------------------------------------------------------------


def tournament_message(
    tournament: Tournament, *, seq: int, head_hash: str, is_there: Callable[[str], bool]
) -> pb.Tournament:
    """Return a tournament as it stands after event `seq`; `is_there` says who attends."""
    present = tournament.rounds[-1] if tournament.rounds else None
    return pb.Tournament(
        id=tournament.id,
        terms=tournament_terms_message(tournament.terms),
        stage=STAGES[tournament.stage],
        paused=tournament.paused,
        entrants=[_entrant(each, attending=is_there(each.id)) for each in tournament.by_seed],
        rounds=_rounds(tournament),
        commitment=tournament.commitment,
        lots_commitment=tournament.lots,
        mix=tournament.mix,
        created_at=timestamp(tournament.created_at),
        seq=seq,
        head_hash=head_hash,
        sittings_over=sum(
            present is not None and each.round == present.number
            for each in tournament.round_sittings
        ),
        sittings=_count_sittings(tournament, present),
        end_reason=tournament.end_reason or "",
    )


def list_message(tournament: Tournament) -> calls.TournamentSummary:
    """Return a tournament as it stands in a list."""
    return calls.TournamentSummary(
        id=tournament.id,
        name=tournament.terms.name,
        stage=STAGES[tournament.stage],
        entrants=sum(each.here for each in tournament.entries),
        rounds=len(tournament.rounds),
        created_at=timestamp(tournament.created_at),
    )


def _entrant(entry: Entry, *, attending: bool) -> pb.TournamentEntrant:
    return pb.TournamentEntrant(
        player_id=entry.id,
        name=entry.entrant.name,
        kind=_KINDS[entry.kind],
        seed=entry.entrant.seed,
        entered=entry.entrant.entered,
        present=entry.here,
        checked_in=entry.checked_in,
        attending=attending,
        key=entry.key or "",
    )


def _count_sittings(tournament: Tournament, paired: Round | None) -> int:
    if paired is None or isinstance(tournament.terms.play, Elsewhere):
        return 0
    return len(paired.pairings) * max(1, 2 * tournament.terms.boards)


def _rounds(tournament: Tournament) -> list[pb.TournamentRound]:
    matches: dict[MatchKey, list[str]] = defaultdict(list)
    if not tournament.terms.boards:
        for each in tournament.sittings:
            if each.match:
                matches[each.round, each.table].append(each.match)
    results = tournament.results

    def pairing(paired: Pairing) -> pb.TournamentPairing:
        key = (paired.round, paired.table)
        message = pb.TournamentPairing(
            round=paired.round,
            table=paired.table,
            first=paired.first,
            second=paired.second,
            label=paired.label,
            match_ids=matches.get(key, ()),
            dealt_by_lot=paired.dealt_by_lot,
        )
        if key in results:
            message.outcome = OUTCOMES[results[key].outcome]
            message.reason = REASONS[results[key].reason]
            message.points.extend(results[key].points)
        return message

    return [
        pb.TournamentRound(
            number=each.number,
            pairings=[pairing(one) for one in each.pairings],
            byes=[bye.entrant for bye in each.byes],
            absent=[absence.entrant for absence in each.absences],
        )
        for each in tournament.rounds
    ]


# --- what is told -------------------------------------------------------------------------------


def news_message(news: News) -> calls.AttendResponse:
    """Return what a program that attends is told."""
    match news:
        case Call():
            return calls.AttendResponse(
                call=calls.TableCall(
                    match_id=news.match_id,
                    seat=news.seat,
                    round=news.round,
                    table=news.table,
                    board=news.board,
                    opponent=news.opponent,
                )
            )
        case NonceDue():
            return calls.AttendResponse(nonce_due=calls.NonceCall())
        case Over(reason=reason):
            return calls.AttendResponse(over=calls.TournamentOver(reason=reason))


def progress_message(progress: Progress) -> calls.TournamentProgress:
    """Return how far a round has come."""
    return calls.TournamentProgress(
        round=progress.round,
        sittings_over=progress.over,
        sittings=progress.sittings,
        under_way=progress.under_way,
        left_ms=progress.left_ms,
        at_most_ms=progress.at_most_ms,
    )
