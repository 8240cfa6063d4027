"""Every scenario, in the order in which they are tried."""

from collections.abc import Mapping

from ginrummy.cli.compliance import checks, faults
from ginrummy.cli.compliance.dealt import Deal
from ginrummy.cli.compliance.opponent import Script
from ginrummy.cli.compliance.scenario import Scenario

__all__ = ["SCENARIOS"]

# --- hands ----------------------------------------------------------------------------------------

_NOTHING = "KS QH TD 9C 7S 6H 4D 3C AS JH"
_NOTHING_EITHER = "KH QD TC 9S 7H 6D 4C 3S AH JD"
_ALMOST_GIN = "AC 2C 3C 7D 8D 9D JS JH JD 2S"
_GIN = "AC 2C 3C 7D 8D 9D JS JH JD JC"
_LAYS_OFF_ON_GIN = "4C 5C 6D TD QS KS QH 9C 7S 3H"
_LAYS_OFF = "4C 5C 6D TD JC KS QH 9C 7S 3H"
_NONE_TO_LAY_OFF = "KS QH TC 9C 7S 6H 4D 4S AS KH"
_ONE_SHORT = "5H 5D 8S 9S KC KD 2H 3H QC AD"

_LONG = Deal(bot=_NOTHING, opponent=_NOTHING_EITHER, upcard="8H", stock="QC 5S TS KD 2D 8S 5H")
"""Nobody can end the hand soon."""

_VOID = {"stock_floor": 27, "max_discard_draws": 2}
"""The hand is void after a few turns."""

# --- plays ----------------------------------------------------------------------------------------

_PLAY = (
    Scenario(
        name="ends",
        what="a hand is played at either seat; when the tournament is over the process ends with 0",
        deal=_LONG,
        rules=_VOID,
        further=(checks.exits, checks.moves_in_turn),
        waits=True,
        section=checks.STARTED,
    ),
    Scenario(
        name="offer",
        what="the upcard is on offer: take it or pass, and go on when both have passed (D2)",
        deal=_LONG,
        rules=_VOID,
    ),
    Scenario(
        name="offer-second",
        what="the opponent has passed the upcard, and it is on offer to the dealer (D2)",
        deal=Deal(bot=_NOTHING, opponent=_NOTHING_EITHER, upcard="8H", dealer="bot"),
        rules=_VOID,
    ),
    Scenario(
        name="turns",
        what="cards are drawn from the stock or taken from the pile, and thrown (T1)",
        deal=Deal(
            bot=_ONE_SHORT,
            opponent="5C 7S TS KS 4H 6C 9D JH JC TC",
            upcard="8H",
            stock="2C 6H 3D 7C",
        ),
        script=Script(throws="5C TS KS 4H", turns=4),
        rules={"stock_floor": 20},
    ),
    Scenario(
        name="taken-card",
        what="a card taken from the pile may not be thrown in the same turn (T2, ruleset classic)",
        preset="classic",
        rules={"stock_floor": 20},
        deal=Deal(
            bot=_ONE_SHORT,
            opponent="5C 7S TS KS 4H 6C 9D JH JC TC",
            upcard="KH",
            stock="2C 6H 3D 7C",
        ),
        script=Script(throws="5C TS KS 4H", turns=4),
    ),
    Scenario(
        name="knock",
        what="three melds and two points: a knock is possible from the first card on (K1)",
        deal=Deal(bot=_ALMOST_GIN, opponent=_LAYS_OFF, upcard="8H", stock="QC 5S TS KC"),
        rules={"stock_floor": 20},
    ),
    Scenario(
        name="gin",
        what="ten melded cards: gin is possible from the first card on (K4)",
        deal=Deal(bot=_GIN, opponent=_NONE_TO_LAY_OFF, upcard="8H", stock="QC 5S TS KC"),
        rules={"stock_floor": 20},
    ),
    Scenario(
        name="big-gin",
        what="eleven melded cards may be laid down as they are (K5, ruleset oklahoma)",
        preset="oklahoma",
        rules={"stock_floor": 20},
        deal=Deal(bot=_GIN, opponent=_NONE_TO_LAY_OFF, upcard="4C", stock="TD 5S 6D KC"),
    ),
    Scenario(
        name="lay-off",
        what="the opponent knocks, and some cards fit its melds: lay off (L1)",
        deal=Deal(bot=_LAYS_OFF, opponent=_ALMOST_GIN, upcard="8H", stock="QC 5S TS KC"),
        script=Script(knocks=True),
    ),
    Scenario(
        name="lay-off-first",
        what="the opponent knocks before the bot has drawn: its first card is to lay off (L1)",
        deal=Deal(
            bot=_LAYS_OFF, opponent=_ALMOST_GIN, upcard="8H", stock="QC 5S TS KC", dealer="bot"
        ),
        script=Script(knocks=True),
    ),
    Scenario(
        name="nothing-to-lay-off",
        what="the opponent knocks, and nothing fits: lay off nothing (L1)",
        deal=Deal(bot=_NONE_TO_LAY_OFF, opponent=_ALMOST_GIN, upcard="8H", stock="QC 5S TS KC"),
        script=Script(knocks=True),
    ),
    Scenario(
        name="opponent-gin",
        what="the opponent has gin: the hand is over, and nothing can be laid off (L2)",
        deal=Deal(bot=_LAYS_OFF_ON_GIN, opponent=_GIN, upcard="8H", stock="QC 5S TS KC"),
        script=Script(knocks=True),
    ),
    Scenario(
        name="void",
        what="the stock runs low: the hand is void, and the table is over (T3)",
        deal=_LONG,
        rules={"stock_floor": 26, "max_discard_draws": 3},
    ),
    Scenario(
        name="oklahoma",
        what="the upcard, a three, is the knock limit: a knock with more is refused (K6)",
        preset="oklahoma",
        rules={"stock_floor": 22},
        deal=Deal(
            bot="AC 2C 3C 7D 8D 9D JS JH 4S 2S",
            opponent=_NONE_TO_LAY_OFF.replace("4S", "5C"),
            upcard="3D",
            stock="JD QC 6C TS",
        ),
    ),
    Scenario(
        name="straight",
        what="only gin ends the hand: two points are too many (K6, ruleset straight)",
        preset="straight",
        rules={"stock_floor": 22},
        deal=Deal(bot=_ALMOST_GIN, opponent=_LAYS_OFF, upcard="8H", stock="QC 5S TS KC"),
    ),
    Scenario(
        name="match",
        what="a match of three hands, with shuffling by both: join, reveal, play on (JoinMatch)",
        rules={"hands": 3},
        script=Script(by_itself=True),
        further=(checks.joins,),
        section=checks.TOURNAMENT,
    ),
    Scenario(
        name="tables",
        what="two boards, and an opponent that sits at several tables at once",
        deal=_LONG,
        rules=_VOID,
        boards=2,
        further=(checks.sits_at_its_tables,),
        section=checks.TOURNAMENT,
    ),
    Scenario(
        name="not-its-turn",
        what="the opponent thinks for a second and a half: no move goes out meanwhile",
        deal=Deal(
            bot=_NOTHING, opponent=_NOTHING_EITHER, upcard="8H", stock="QC 5S TS KC", dealer="bot"
        ),
        rules={"stock_floor": 28, "max_discard_draws": 2},
        script=Script(thinks=1.5),
        further=(checks.moves_in_turn,),
    ),
    Scenario(
        name="clock",
        what="a decision has ten seconds, and the bot decides in time",
        deal=_LONG,
        rules=_VOID,
        decision_ms=10_000,
    ),
)

# --- the opponent goes ----------------------------------------------------------------------------

_GONE = (
    Scenario(
        name="opponent-resigns",
        what="the opponent resigns in the middle of a hand: the match is over",
        deal=_LONG,
        script=Script(turns=1, then="resigns"),
    ),
    Scenario(
        name="opponent-dies",
        what="the opponent's program dies in the middle of a hand: the match is over",
        deal=_LONG,
        script=Script(turns=1, then="dies"),
        section=checks.GONE,
    ),
    Scenario(
        name="opponent-silent",
        what="the opponent's time runs out in the middle of a hand: the match is over",
        deal=_LONG,
        decision_ms=8_000,
        script=Script(turns=1, then="is silent"),
    ),
)

# --- something goes wrong -------------------------------------------------------------------------


def _faulty(name: str, what: str, fault: type[faults.Fault], *more: checks.Check) -> Scenario:
    return Scenario(
        name=name,
        what=what,
        deal=_LONG,
        rules=_VOID,
        fault=fault,
        further=more,
        section=_SECTIONS.get(name, checks.RETRIES),
    )


_SECTIONS: Mapping[str, str] = {
    "stale": checks.ERRORS,
    "paused": checks.ERRORS,
    "unavailable": checks.ERRORS,
    "attend-breaks": checks.TOURNAMENT,
}

_WRONG = (
    _faulty(
        "stale",
        "the match goes on while a move is on its way (ABORTED): look again, decide again",
        faults.Stale,
        checks.moves_in_turn,
        checks.heeds_refusals,
    ),
    _faulty(
        "paused",
        "the match is paused while a move is on its way (FAILED_PRECONDITION): wait, decide again",
        faults.Paused,
        checks.moves_in_turn,
        checks.heeds_refusals,
    ),
    _faulty(
        "unavailable",
        "the server is stopping (UNAVAILABLE): connect again, send the move again as it was",
        faults.Unavailable,
    ),
    _faulty(
        "cut-before-move",
        "the connection breaks off before a move arrives: send it again as it was",
        faults.CutBeforeMove,
    ),
    _faulty(
        "cut-after-move",
        "the connection breaks off after a move was made: find it made, and play on",
        faults.CutAfterMove,
    ),
    _faulty(
        "attend-breaks",
        "the Attend stream breaks off: open it again under the same session_id",
        faults.AttendBreaks,
        checks.attends_again,
        checks.moves_in_turn,
    ),
    _faulty(
        "restart",
        "the server is stopped and started again in the middle of a match: play on",
        faults.Restarted,
    ),
    _faulty(
        "twice",
        "what the server says arrives twice: each decision is made once",
        faults.Twice,
    ),
    _faulty(
        "late",
        "an answer comes three seconds late: wait for it, or send the same again",
        faults.Late,
    ),
    _faulty(
        "unknown-fields",
        "a newer server sends fields and news that the bot does not know: ignore them",
        faults.Unknown,
    ),
)

SCENARIOS: tuple[Scenario, ...] = (*_PLAY, *_GONE, *_WRONG)
