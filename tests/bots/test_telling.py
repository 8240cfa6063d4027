"""What happens, in sentences."""

from typing import Any

import pytest
from support_disputed_logs import disputed_match
from support_logs import played, results_of
from support_story import Story

from ginrummy.bots.paint import Paint
from ginrummy.bots.telling import Teller
from ginrummy.v1 import events_pb2 as pb

PLAIN = Paint(colour=False, symbols=False)


def knocked(*melds: str, deadwood: str = "", gin: bool = False, seat: int = 0) -> pb.Event:
    return pb.Event(
        knocked=pb.Knocked(
            seat=seat,
            melds=[pb.Meld(cards=meld.split()) for meld in melds],
            deadwood=deadwood.split(),
            gin=gin,
        )
    )


def scored(kind: pb.HandKind.ValueType, points: int, **fields: int | bool) -> pb.Event:
    return pb.Event(hand_scored=pb.HandScored(kind=kind, points=points, **fields))  # type: ignore[arg-type]  # its own fields


def laid_off(*melds: str, layoffs: str = "", deadwood: str = "") -> pb.Event:
    return pb.Event(
        laid_off=pb.LaidOff(
            seat=1,
            melds=[pb.Meld(cards=meld.split()) for meld in melds],
            layoffs=[pb.LayOffCard(card=card) for card in layoffs.split()],
            deadwood=deadwood.split(),
        )
    )


def disputed(seat: int = 1, **fields: int) -> pb.Event:
    text = "It was 14, not 24."
    return pb.Event(
        dispute_opened=pb.DisputeOpened(dispute=1, seat=seat, event=57, text=text, **fields)  # type: ignore[arg-type]  # its own fields
    )


def ruled(ruling: pb.Ruling.ValueType, instance: int = 1, **fields: Any) -> pb.Event:  # noqa: ANN401 -- handed on
    return pb.Event(
        dispute_ruled=pb.DisputeRuled(
            dispute=1, instance=instance, ruling=ruling, rule="S1", why="So.", **fields
        )
    )


TWO_RUNS = ("2D 3D 4D 5D 6D", "7S 8S 9S TS JS")
ENDED = pb.MatchEnded(reason=pb.END_REASON_TARGET, winner=1, totals=[25, 251])


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (pb.Event(player_joined=pb.PlayerJoined(seat=1, name="Bob")), "Bob sits down at seat 1"),
        (
            pb.Event(hand_dealt=pb.HandDealt(hand=3, dealer=1, upcard="7H")),
            "Hand 3: Bob deals, and 7H is the upcard",
        ),
        (pb.Event(upcard_passed=pb.UpcardPassed(seat=1)), "Bob passes"),
        (pb.Event(stock_drawn=pb.StockDrawn(seat=1)), "Bob draws"),
        (pb.Event(stock_drawn=pb.StockDrawn(seat=0), drawn="7H"), "You draw 7H"),
        (pb.Event(discard_taken=pb.DiscardTaken(seat=0, card="7H")), "You take 7H"),
        (pb.Event(discarded=pb.Discarded(seat=1, card="KC")), "Bob throws KC"),
        (
            knocked("2D 3D 4D", "5S 5H 5C", deadwood="AS 2S 3C KD"),
            "You knock with 16: 2D 3D 4D  5S 5H 5C  and AS 2S 3C KD",
        ),
        (knocked("2D 3D 4D", gin=True, seat=1), "Bob goes gin: 2D 3D 4D"),
        (knocked(*TWO_RUNS, gin=True), "You go gin: 2D 3D 4D 5D 6D  7S 8S 9S TS JS"),
        (
            knocked("2D 3D 4D 5D 6D", "6S 7S 8S 9S TS JS", gin=True),
            "You go big gin: 2D 3D 4D 5D 6D  6S 7S 8S 9S TS JS",
        ),
        (scored(pb.HAND_KIND_KNOCK, 12, difference=12), "You score 12 by a knock"),
        (
            scored(pb.HAND_KIND_UNDERCUT, 29, winner=1, difference=4, bonus=25),
            "Bob scores 29 by an undercut (4 + 25)",
        ),
        (
            scored(pb.HAND_KIND_GIN, 100, difference=25, bonus=25, doubled=True),
            "You score 100 by gin (twice 25 + 25)",
        ),
        (
            pb.Event(hand_voided=pb.HandVoided(reason=pb.VOID_REASON_STOCK)),
            "The hand is void: the stock has run low",
        ),
        (
            pb.Event(secret_revealed=pb.SecretRevealed(hand=3)),
            "The secret of hand 3 is out: its deck can be checked",
        ),
        (pb.Event(clock_paused=pb.ClockPaused()), "The match is paused"),
        (pb.Event(clock_resumed=pb.ClockResumed()), "The match goes on"),
        (pb.Event(clock_expired=pb.ClockExpired(seat=1)), "Bob runs out of time"),
        (pb.Event(resigned=pb.Resigned(seat=0)), "You resign"),
        (pb.Event(forfeited=pb.Forfeited(seat=1)), "Bob forfeits the match"),
        (pb.Event(match_ended=ENDED), "Bob wins the match 251 to 25: the target is reached"),
        (
            pb.Event(match_ended=pb.MatchEnded(reason=pb.END_REASON_ABANDONED)),
            "The match is over without a winner: nobody played on",
        ),
        (pb.Event(match_created=pb.MatchCreated(name="final")), "The match final is open, to 0"),
        (
            pb.Event(
                match_created=pb.MatchCreated(
                    origin=pb.Origin(kind=pb.ORIGIN_KIND_REPLAY, match_id="m_7", hand=3)
                )
            ),
            "Hand 3 of m_7 is to be played again, by a ruling",
        ),
        (
            pb.Event(match_ended=pb.MatchEnded(reason=pb.END_REASON_RULING)),
            "The match is over without a winner: a director has ruled",
        ),
        (
            disputed(hand=3, reason=pb.DISPUTE_REASON_SCORE_WRONG),
            'Bob disputes hand 3 at event 57: a score is wrong\n  "It was 14, not 24."',
        ),
        (
            disputed(reason=pb.DISPUTE_REASON_CONDUCT, seat=0),
            'You dispute the match at event 57: somebody behaved badly\n  "It was 14, not 24."',
        ),
        (
            pb.Event(dispute_appealed=pb.DisputeAppealed(dispute=2, seat=0, text="No.")),
            'You appeal against the ruling on dispute 2\n  "No."',
        ),
        (ruled(pb.RULING_DISMISS), 'Dispute 1: dismissed (S1)\n  "So."'),
        (ruled(pb.RULING_UPHOLD), 'Dispute 1: upheld, without consequence (S1)\n  "So."'),
        (
            ruled(pb.RULING_ADJUST, points=[-10, 1], instance=2),
            'Dispute 1 on appeal: upheld, you lose 10 points, Bob gains 1 point (S1)\n  "So."',
        ),
        (ruled(pb.RULING_VOID), 'Dispute 1: upheld, the hand is void (S1)\n  "So."'),
        (
            ruled(pb.RULING_REPLAY),
            'Dispute 1: upheld, the hand is void and played again (S1)\n  "So."',
        ),
        (
            ruled(pb.RULING_FORFEIT, seat=1),
            'Dispute 1: upheld, Bob loses the match (S1)\n  "So."',
        ),
        (
            pb.Event(
                hand_replayed=pb.HandReplayed(dispute=1, scored=pb.HandPoints(winner=1, points=12))
            ),
            "Dispute 1: Bob scores 12 points in the hand played again",
        ),
        (
            pb.Event(hand_replayed=pb.HandReplayed(dispute=1)),
            "Dispute 1: nobody has won the hand played again, and it stays void",
        ),
        (
            pb.Event(result_adjusted=pb.ResultAdjusted(outcome=ENDED)),
            "The result is now: Bob wins the match 251 to 25: the target is reached",
        ),
        (
            pb.Event(
                result_adjusted=pb.ResultAdjusted(
                    outcome=pb.MatchEnded(reason=pb.END_REASON_RULING, totals=[7, 7])
                )
            ),
            "The result is now: nobody wins, 7 to 7: a director has ruled",
        ),
        (pb.Event(nonce_revealed=pb.NonceRevealed()), ""),
        (pb.Event(), ""),
    ],
)
def test_an_event_is_told_in_a_sentence(event: pb.Event, sentence: str) -> None:
    assert Teller(PLAIN, ("Ann", "Bob"), you=0).tell(event) == sentence


def test_lay_offs_are_told_with_the_melds_they_go_on() -> None:
    teller = Teller(PLAIN, ("Ann", "Bob"))
    teller.tell(knocked("2D 3D 4D", deadwood="AS"))
    event = laid_off("KS KH KD", layoffs="5D 6D", deadwood="9C")
    assert teller.tell(event).splitlines() == [
        "Bob lays down KS KH KD",
        "Bob lays 5D off on 2D 3D 4D",
        "Bob lays 6D off on 2D 3D 4D",
        "Bob keeps 9C, which is 9",
    ]
    assert teller.tell(laid_off("KS KH KD")).endswith("Bob keeps nothing")


def test_a_whole_match_is_told_to_anybody() -> None:
    table = played(7, hands=4)
    assert results_of(table) > {"knock"}
    story = Story(table, "public")
    teller = Teller(PLAIN)
    told = [teller.tell(event) for event in story.events()]
    silent = {line.type for line, text in zip(table.lines, told, strict=True) if not text}
    assert silent == {"nonce_revealed"}
    assert not any("You" in text or "seat" in text.lower() for text in told[3:])


def test_what_somebody_has_said_is_broken_into_lines() -> None:
    event = disputed()
    event.dispute_opened.text = "word " * 30
    first, *said = Teller(PLAIN).tell(event).splitlines()
    assert first == "Seat 1 disputes the match at event 57: something else"
    assert len(said) > 1
    assert max(map(len, said)) <= 60
    assert " ".join(line.strip(' "') for line in said) == ("word " * 30).strip()


def test_a_match_with_disputes_is_told_to_its_end() -> None:
    table = disputed_match()
    teller = Teller(PLAIN)
    told = [teller.tell(event) for event in Story(table, "public").events()]
    ended = next(place for place, line in enumerate(table.lines) if line.type == "match_ended")
    assert len(told) == len(table.lines)
    assert all(told[ended:])
    (name,) = {text.partition(" disputes hand 1 ")[0] for text in told if " hand 1 at " in text}
    assert name in table.names


def test_symbols_and_colours_are_where_they_can_be_shown() -> None:
    assert Paint(colour=False).cards(["7H", "KS"]) == "7♥ K♠"
    assert Paint().card("7H") == "\x1b[31m7♥\x1b[0m"
    assert Paint().card("KS") == "K♠"
    assert Paint().card("KS", fresh=True) == "\x1b[4mK♠\x1b[0m"
    assert PLAIN.backs(2) == "?? ??"
