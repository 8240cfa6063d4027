"""What may be decided in a tournament. Whatever is refused here is stored nowhere."""

from typing import assert_never

from ginrummy.rules.match import Instant
from ginrummy.tournaments.errors import (
    NotNowError,
)
from ginrummy.tournaments.event import entering, recording, rounds
from ginrummy.tournaments.event.commands import (
    Abort,
    AdjustSitting,
    CallOffTest,
    CheckIn,
    CloseRegistration,
    Command,
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
from ginrummy.tournaments.event.events import (
    TournamentAborted,
    TournamentCreated,
    TournamentEvent,
)
from ginrummy.tournaments.event.settling import called_off, settled
from ginrummy.tournaments.event.states import Tournament

__all__ = ["decide"]

Events = tuple[TournamentEvent, ...]


def decide(  # noqa: C901, PLR0912 -- one case a command
    tournament: Tournament | None, command: Command, at: Instant
) -> Events:
    """Return the events that `command` causes at the instant `at`.

    `tournament` is None before it is created. Raises a TournamentError where the command is not
    allowed; nothing has changed then. A command that has been carried out already, as one that a
    restarted server gives again, causes nothing.
    """
    del at  # nothing here is decided by the time; what is comes as a command
    if isinstance(command, Create):
        if tournament is not None:
            raise NotNowError("the tournament was created before")
        return (TournamentCreated(command.terms, command.commitment, command.chain, command.lots),)
    if tournament is None:
        raise NotNowError("there is no such tournament yet")
    match command:
        case Enter():
            return entering.enter(tournament, command)
        case CheckIn(entrant=entrant):
            return entering.check_in(tournament, entrant)
        case Seed(order=order):
            return entering.seed(tournament, order)
        case CloseRegistration():
            return entering.close(tournament)
        case RevealNonce():
            return entering.reveal_nonce(tournament, command)
        case Leave():
            return entering.leave(tournament, command)
        case Return(entrant=entrant):
            return entering.return_(tournament, entrant)
        case Start():
            return entering.start(tournament)
        case Pair():
            return rounds.pair(tournament)
        case PairByHand(pairs=pairs):
            return rounds.pair_by_hand(tournament, pairs)
        case EndSitting(ended=ended):
            return recording.end_sitting(tournament, ended)
        case AdjustSitting(adjusted=adjusted):
            return recording.adjust_sitting(tournament, adjusted)
        case Settle():
            return settled(tournament, command)
        case Rule():
            return recording.rule(tournament, command)
        case CallOffTest():
            return rounds.call_off_test(tournament)
        case RevealBoards():
            return recording.reveal_boards(tournament, command)
        case DrawLots(secret=secret):
            return recording.draw_lots(tournament, secret)
        case Pause() | Resume():
            return rounds.pause(tournament, paused=isinstance(command, Pause))
        case Abort(why=why):
            if tournament.stage == "ended" or tournament.aborted:
                raise NotNowError("the tournament is over")
            return (TournamentAborted(why), *called_off(tournament))
        case EndByHand():
            return rounds.end_by_hand(tournament)
        case End():
            return rounds.end(tournament, command)
        case _:
            assert_never(command)
