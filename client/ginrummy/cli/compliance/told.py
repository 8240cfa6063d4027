"""What was said on the wire, in words: a message a line."""

from google.protobuf import text_format
from google.protobuf.message import Message

from ginrummy.cli.compliance.record import Said
from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1.errors_pb2 import ErrorReason, Refusal
from ginrummy.v1.events_pb2 import Event
from ginrummy.v1.match_pb2 import Move, Phase, View

__all__ = ["move_told", "said_told"]

_LONGEST = 160


def said_told(said: Said) -> str:
    """Return one line: when, who, on which call, what, and what became of it."""
    who = "bot   " if said.by_bot else "server"
    what = _message_told(said.message) if said.message is not None else _end_told(said)
    note = f"  [{said.note}]" if said.note else ""
    return f"{said.at:8.3f} {who} {said.method}#{said.call}  {what}{note}"


def _end_told(said: Said) -> str:
    return f"ends: {said.code}{' ' + said.reason if said.reason else ''}"


def _message_told(message: Message) -> str:
    match message:
        case matches.PlayRequest() if message.HasField("move"):
            move = message.move
            return f"move {move_told(move.move)}, seq {move.expected_seq}, id {move.request_id}"
        case matches.PlayRequest() if message.HasField("start"):
            return f"start {message.start.match_id}, after {message.start.after_seq}"
        case matches.PlayRequest():
            return "nonce"
        case matches.MakeMoveRequest():
            told = move_told(message.move)
            return f"move {told}, seq {message.expected_seq}, id {message.request_id}"
        case matches.PlayResponse():
            return _response_told(message)
        case matches.MakeMoveResponse() | matches.GetViewResponse():
            return _view_told(message.view)
        case _:
            told = text_format.MessageToString(message, as_one_line=True)
            return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"


def _response_told(response: matches.PlayResponse) -> str:
    parts = [", ".join(map(_event_told, response.events))] if response.events else []
    if response.HasField("refusal"):
        parts.append(_refusal_told(response.refusal))
    if response.HasField("view"):
        parts.append(_view_told(response.view))
    return "; ".join(parts) or "nothing that is known"


def _event_told(event: Event) -> str:
    asked = f" id {event.request_id}" if event.request_id else ""
    return f"{event.seq} {event.WhichOneof('event')}{asked}"


def _refusal_told(refusal: Refusal) -> str:
    reason = ErrorReason.Name(refusal.reason).removeprefix("ERROR_REASON_")
    return f"refused {reason}: {refusal.message}, id {refusal.request_id}"


def _view_told(view: View) -> str:
    if view.HasField("outcome"):
        return f"view {view.seq}: the match is over"
    if view.nonce_due:
        return f"view {view.seq}: nonce due"
    phase = Phase.Name(view.hand.phase).removeprefix("PHASE_").lower()
    turn = "your turn" if view.hand.HasField("legal") else "not your turn"
    return f"view {view.seq}: {phase}, {'paused' if view.clock.paused else turn}"


def move_told(move: Move) -> str:
    """Return a move in words, such as `discard KS`."""
    which = move.WhichOneof("move") or "none"
    card = getattr(getattr(move, which, None), "card", "")
    return f"{which} {card}".strip()
