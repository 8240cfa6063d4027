"""The mapping between messages and the rules' values, all of it by name.

`*_message` writes a message, `*_from` reads and checks one. Each is a plain function in the module
of its subject; servicers take them from here.
"""

from ginrummy.api.event_messages import event_message
from ginrummy.api.fields import (
    commitment_from,
    name_from,
    nonce_from,
    player_name_from,
    request_id_from,
    seat_from,
    seats_from,
    stage_from,
)
from ginrummy.api.move_messages import move_from
from ginrummy.api.player_messages import player_message, role_from
from ginrummy.api.terms_messages import (
    clock_from,
    clock_message,
    limits_from,
    limits_message,
    reveal_from,
    ruleset_from,
    ruleset_message,
)
from ginrummy.api.view_messages import (
    legal_message,
    match_message,
    summary_message,
    view_message,
)
from ginrummy.api.wire import instant_of, timestamp

__all__ = [
    "clock_from",
    "clock_message",
    "commitment_from",
    "event_message",
    "instant_of",
    "legal_message",
    "limits_from",
    "limits_message",
    "match_message",
    "move_from",
    "name_from",
    "nonce_from",
    "player_message",
    "player_name_from",
    "request_id_from",
    "reveal_from",
    "role_from",
    "ruleset_from",
    "ruleset_message",
    "seat_from",
    "seats_from",
    "stage_from",
    "summary_message",
    "timestamp",
    "view_message",
]
