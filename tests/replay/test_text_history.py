"""The hand history: what is written is read back, and follows from itself."""

import random
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support_events import EVENTS, cards, instants, match_ids, points_by_seat
from support_golden import GOLDEN, expect_golden, golden_log
from support_logs import Table, board_played, events_of, forged, in_hand, played
from support_play import soak

from ginrummy.log.lines import read_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.stepping import ReplayError, positions
from ginrummy.replay.text import (
    Entry,
    History,
    HistoryError,
    Shown,
    check,
    parse,
    recorded,
    stored_lines,
    write,
)
from ginrummy.rules.cards import BySeat
from ginrummy.rules.commands import Abort, Expire, Forfeit, Pause, Resign, Resume
from ginrummy.rules.events import (
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    StockDrawn,
    TimeControl,
)
from ginrummy.rules.match import Ended, Match
from ginrummy.rules.ruleset import PRESETS


def text_of(history: History) -> str:
    return "\n".join(write(history)) + "\n"


def nameless(match: Match) -> Match:
    """Return a match without who ruled: a text does not say who has caused what."""
    if not isinstance(match, Ended):
        return match
    disputes = (
        replace(each, ruled=tuple(replace(ruled, by="") for ruled in each.ruled))
        for each in match.disputes
    )
    return replace(match, disputes=tuple(disputes))


def expect_kept(log: list[bytes]) -> None:
    """Expect a log's history to come back from its text, and the same match to follow from it."""
    history = recorded(log)
    read = parse(text_of(history))
    assert read == history
    check(read)
    told = stored_lines(read)
    secrets = revealed_secrets(log)
    assert [nameless(one.match) for one in positions(told, revealed_secrets(told))] == [
        nameless(one.match) for one in positions(log, secrets)
    ]
    timeless = parse(text_of(history.without_times()))
    assert timeless == history.without_times()
    check(timeless)
    assert [read_line(raw).event for raw in stored_lines(timeless)] == [
        read_line(raw).event for raw in log
    ]


# --- what is kept -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.log")))
def test_every_golden_log_comes_back(name: str) -> None:
    expect_kept(golden_log(name))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(soak(40, 3)))
def test_matches_of_every_preset_come_back(preset: str, seed: int) -> None:
    expect_kept(played(seed, preset).log)


@pytest.mark.parametrize("seed", range(soak(40, 3)))
def test_matches_of_rules_and_clocks_of_their_own_come_back(seed: int) -> None:
    rng = random.Random(seed)
    changes = {
        "gin_bonus": rng.randrange(50),
        "stock_floor": rng.randrange(20),
        "spades_double": rng.random() < 0.5,
        "big_gin": True,
        "hands": rng.choice([None, 3]),
        "run_max": rng.choice([None, 5, 7]),
    }
    clock = TimeControl(600_000, 2_000, None if rng.random() < 0.5 else 90_000)
    expect_kept(played(seed, "classic", clock=clock, reveal="hand", name="A 'club'", **changes).log)


@pytest.mark.parametrize("seed", range(soak(40, 3)))
def test_a_match_that_goes_on_comes_back(seed: int) -> None:
    table = Table(seed, reveal=random.Random(seed).choice(["match", "hand"])).seated()
    log = table.play(until=in_hand(3)).log
    for length in range(1, len(log), 7):
        expect_kept(log[:length])


@pytest.mark.parametrize("number", [1, 7])
@pytest.mark.parametrize("revealed", [True, False])
def test_boards_come_back(number: int, revealed: bool) -> None:  # noqa: FBT001 -- a parameter
    expect_kept(board_played(3, number, revealed=revealed).log)


def test_ends_of_every_kind_come_back() -> None:
    resigned = Table(5).seated().play(until=in_hand(2))
    resigned.move(Resign(), 1 if resigned.turn == 0 else 0)
    expect_kept(resigned.log)
    forfeited = Table(6).seated()
    forfeited.act(Forfeit(1, "crash"), "server")
    expect_kept(forfeited.log)
    aborted = Table(7, reveal="director").seated()
    aborted.act(Abort("aborted"), "server")
    expect_kept(aborted.log)
    nobody = Table(8)
    nobody.wait(4_000)
    nobody.act(Expire(), "server")
    expect_kept(nobody.log)


def test_pauses_come_back() -> None:
    table = Table(9, clock=TimeControl(600_000)).seated()
    table.act(Pause(), table.director)
    table.wait(100)
    table.act(Resume(), table.director)
    expect_kept(table.play().log)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Return events that need not follow on each other, with what may be shown beside them."""
    at = draw(st.none() | st.just(instants))
    known = draw(st.booleans())
    entries = []
    for seq, event in enumerate(draw(st.lists(st.one_of(*EVENTS.values()), max_size=8)), start=1):
        shown = Shown()
        hand = st.lists(cards, unique=True, min_size=1, max_size=10).map(tuple)
        match event:
            case HandDealt() if known:
                shown = Shown(hands=draw(st.builds(BySeat, hand, hand)))
            case Knocked() | StockDrawn() if known:
                shown = Shown(card=draw(cards))
            case HandScored() | HandVoided():
                shown = Shown(points=draw(points_by_seat))
            case _:
                pass
        entries.append(Entry(seq, None if at is None else draw(at), event, shown))
    return History(draw(match_ids), tuple(entries))


@given(histories())
def test_whatever_events_there_are_come_back(history: History) -> None:
    assert parse(text_of(history)) == history


# --- names --------------------------------------------------------------------------------------

HOSTILE = (
    'Ada" draws KS',
    "seat 0",
    "two\nlines\r\n     9  match ended",
    "\u202eright to left\u2066",
    "back\\slash and \x1b[31m",
    "Ada deals, upcard KS",
    "\u2028next\u0085line\x00",
    "Łukasz 🂡",
    " ",
    "",
)


@pytest.mark.parametrize("first", HOSTILE)
@pytest.mark.parametrize("second", ["Bob", *HOSTILE[:2]])
def test_no_name_says_more_than_a_name(first: str, second: str) -> None:
    table = Table(11, hands=1, name=first)
    table.names = (first, second)
    log = table.seated().play().log
    expect_kept(log)
    text = text_of(recorded(log).without_times())
    assert all(line.isprintable() for line in text.splitlines())
    # Each line of the text is one that the grammar asks for.
    assert text.count("\n") == len(list(write(recorded(log))))


def test_players_of_one_name_are_called_by_their_seats() -> None:
    table = Table(12)
    table.names = ("Ada", "Ada")
    text = text_of(recorded(table.seated().play(until=in_hand(2)).log).without_times())
    assert '"Ada" draws' not in text
    assert "  seat 0 draws " not in text  # No secret is out.
    assert "  seat 0 draws\n" in text


# --- what it looks like -------------------------------------------------------------------------


def hands_of(text: str) -> str:
    """Return a text from its first hand on: the terms above it grow with the forms of the log."""
    return text[text.index("\n\n", text.index("match opened")) + 2 :]


def test_it_reads_as_it_was_looked_at() -> None:
    history = recorded(golden_log("classic"))
    expect_golden("classic.history.txt", hands_of(text_of(history.without_times())))
    expect_golden("oklahoma.history.txt", hands_of(text_of(recorded(golden_log("oklahoma")))))


def test_the_page_shows_what_is_written() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hand-history.md").read_text(encoding="utf-8")
    example = page.split("```\n")[1].splitlines()
    written = text_of(recorded(golden_log("classic")).without_times()).splitlines()
    # The forms of what is above the first hand grow with those of the log.
    shown = [line for line in example if line.strip() != "…" and ", form " not in line]
    assert len(shown) > 15
    assert [line for line in shown if line not in written] == []


def test_a_ruleset_is_named_by_the_preset_that_is_nearest() -> None:
    text = text_of(recorded(Table(1, "straight", target=250, game_bonus=0).log))
    assert "\n          rules straight, but target 250, game_bonus 0\n" in text


def test_presets_are_what_they_were_when_this_form_began() -> None:
    """A history names presets. Where one changes, FIRST_LINE needs the next form."""
    presets = msgspec.json.encode(dict(sorted(PRESETS.items())))
    assert sha256(presets).hexdigest() == PINNED


PINNED = "360d82f79d265fadec27174be0c89fff116f1597187c9953a460ccdf84449685"


# --- what is refused ----------------------------------------------------------------------------

TEXT = text_of(recorded(golden_log("classic")).without_times())


@dataclass(frozen=True)
class Damage:
    """A text in another's place, and what is said of it."""

    old: str
    new: str
    why: str


DAMAGES = (
    Damage("form 1\n", "form 2\n", "line 1: a hand history begins with"),
    Damage('match "m_', "match m_", "line 2: the match's id should stand here"),
    Damage('"Bob" passes', "Bob passes", "nothing that happens at this table"),
    Damage('"Bob" passes', '"Eve" passes', "nothing that happens at this table"),
    Damage('"Bob" passes', '"Bob" folds', "nothing that happens at this table"),
    Damage('"Bob" deals', '"Eve" deals', '"Eve" is nobody who sits at this table'),
    Damage("discards TH", "discards 10H", "Invalid enum value"),
    Damage("draws 6S", "draws 6s", "is not a valid Card"),
    Damage("     7  ", "     x  ", "below it, has no name and value"),
    Damage("     7  ", "     7 ", "is not an event with its number"),
    Damage("knocks with 8", "knocks with 9", "9 is not what the cards in no meld count"),
    Damage("[4C 5C 6C]", "[4C 5C 6C", "is not cards with the melds in brackets"),
    Damage("on meld 2,", "on meld two,", "does not say which card was laid off on which meld"),
    Damage("rules classic", "rules modern", "'modern' is none of standard"),
    Damage("rules classic", "rules classic, but", "is none of standard"),
    Damage("rules classic", "rules classic, but jokers 2", "no such field"),
    Damage("rules classic", "rules classic, but target [1]", "is no field of a ruleset"),
    Damage("          chain 60\n", "", "missing required field `chain`"),
    Damage("          chain 60\n", "          chain 60\n" * 2, "chain stands below it twice"),
    Damage("          chain 60\n", "          chain 60\n          name 1\n", "says it already"),
    Damage("chain 60", "chain", "below it, has no name and value"),
    Damage("chain 60", "chain x", "malformed"),
    Damage("match opened, form ", "match opened, form 9", "there is no form 9"),
    Damage("record nonce_revealed 1", "record nonce_told 1", "no form 1 of an event 'nonce_told'"),
    Damage("points 12 and 0", "points 12", "is not a number for each seat"),
    Damage("points 12 and 0", "score 12 and 0", "'score' is nothing that is shown"),
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.new)
def test_a_text_out_of_form_is_refused_with_its_line(damage: Damage) -> None:
    assert damage.old in TEXT
    with pytest.raises(HistoryError, match=r"^line [0-9]+: ") as refused:
        parse(TEXT.replace(damage.old, damage.new, 1))
    assert damage.why in str(refused.value)


def test_one_hand_alone_is_not_shown() -> None:
    start = TEXT.index('          dealt "Bob"')
    with pytest.raises(HistoryError, match="either both hands"):
        parse(TEXT[:start] + TEXT[TEXT.index("\n", start) + 1 :])


@pytest.mark.parametrize("text", ["", "\n", TEXT[:30], TEXT[:31] + "\n\n", "PAR1\x00"])
def test_what_is_no_history_is_refused(text: str) -> None:
    with pytest.raises(HistoryError):
        parse(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("draws 6S", "draws 7S"),
        ("draws 6S", "draws"),
        ("5D face down", "4D face down"),
        ("points 12 and 0", "points 13 and 0"),
        ('dealt "Alice" 4S 4H', 'dealt "Alice" 4C 4H'),
        ("upcard QH", "upcard QS"),
    ],
)
def test_a_text_that_contradicts_itself_does_not_pass(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(HistoryError, match=r"do not follow|cannot be followed"):
        check(parse(TEXT.replace(old, new, 1)))


def test_events_that_cannot_follow_do_not_pass() -> None:
    history = recorded(golden_log("classic"))
    with pytest.raises(HistoryError, match="cannot be followed past event 5"):
        check(History(history.match, history.entries[:5] + history.entries[6:]))


def test_a_log_that_cannot_be_followed_has_no_history() -> None:
    with pytest.raises(ReplayError, match="past event 3"):
        recorded(golden_log("classic")[:3] + golden_log("classic")[4:])
    with pytest.raises(ReplayError, match="no line"):
        recorded([])


def test_a_secret_that_proves_nothing_shows_nothing() -> None:
    log = golden_log("classic")
    (index,) = events_of(log, "secret_revealed")
    spoiled = forged(log, index, data_secret="00" * 32)
    assert all(entry.shown.hands is None for entry in recorded(spoiled).entries)
    expect_kept(spoiled)
