"""A person at the table: asked until there is a move, and told what has happened."""

from collections.abc import Callable

import pytest
from support_client import FakeServer, connected
from support_logs import Table
from support_story import Story

from ginrummy.bots.paint import Paint
from ginrummy.bots.person import LeftTableError, Person, picture
from ginrummy.bots.telling import Teller
from ginrummy.rules.match import Ended, Playing

PLAIN = Paint(colour=False, symbols=False)


class Script:
    """A terminal whose answers are written beforehand, or found by a function."""

    def __init__(self, *answers: str, then: Callable[[str], str | None] = lambda _: None) -> None:
        self.answers = list(answers)
        self.then = then
        self.printed: list[str] = []

    def say(self, text: str) -> None:
        self.printed += text.splitlines()

    async def ask(self, question: str) -> str | None:
        self.printed.append(question)
        return self.answers.pop(0) if self.answers else self.then(question)

    def printed_after(self, text: str) -> list[str]:
        """Return the lines from the first one that contains `text`."""
        first = next(place for place, line in enumerate(self.printed) if text in line)
        return self.printed[first:]


def sensible(terminal: Script) -> Callable[[str], str]:
    """Return a player who looks at the last picture, and answers as is asked for."""

    def answer(question: str) -> str:
        if "(k " in question:
            return question.partition("(")[2].partition(")")[0]
        if "throw" in question:
            own = [line for line in terminal.printed if line.startswith("  you ")][-1]
            return own.partition("deadwood")[0].split()[-1]
        if "draw (d)" in question:
            return "d"
        return "l" if "lay off" in question else "p"

    return answer


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(Table(1, target=60))


def person(server: FakeServer, terminal: Script) -> Person:
    return Person(terminal, PLAIN, server.table.players[0])


async def test_a_person_plays_a_match(server: FakeServer) -> None:
    terminal = Script()
    terminal.then = sensible(terminal)
    async with connected(server) as client:
        result = await client.play(server.table.stream, person(server, terminal))
    assert isinstance(server.table.match, Ended)
    assert result.unchecked == 0
    assert max(map(len, terminal.printed)) <= 80
    assert terminal.printed[0].startswith("  > Hand 1: Bob deals")
    assert terminal.printed[-2].startswith("  > Bob wins the match")
    assert not any("Bob draws " in line for line in terminal.printed)


async def test_whatever_is_no_move_is_answered_and_asked_again(server: FakeServer) -> None:
    terminal = Script("foo", "", "?")
    terminal.then = sensible(terminal)
    async with connected(server) as client:
        await client.play(server.table.stream, person(server, terminal))
    after = terminal.printed_after("'foo' is no move")
    assert after[0] == "  'foo' is no move; ? says what there is"
    assert after[2:4] == ["", "  Hand 1 - you 0 - Bob 0 - knock with 10"]
    assert any("q                 leave the table" in line for line in after)


async def test_a_refused_move_is_explained_and_asked_for_again(server: FakeServer) -> None:
    terminal = Script("d")
    terminal.then = sensible(terminal)
    async with connected(server) as client:
        await client.play(server.table.stream, person(server, terminal))
    first, second = (place for place, line in enumerate(terminal.printed[:12]) if "(p)?" in line)
    assert terminal.printed[first + 1 : second] == [
        "  the upcard is on offer: take it or pass (D2)"
    ]


@pytest.mark.parametrize("leaving", ["q", None])
async def test_leaving_the_table_lets_the_match_go_on(
    server: FakeServer, leaving: str | None
) -> None:
    terminal = Script(then=lambda _: leaving)
    async with connected(server) as client:
        with pytest.raises(LeftTableError):
            await client.play(server.table.stream, person(server, terminal))
    assert isinstance(server.table.match, Playing)


async def test_giving_up_is_asked_about(server: FakeServer) -> None:
    terminal = Script("resign", "no", "resign", "yes")
    async with connected(server) as client:
        result = await client.play(server.table.stream, person(server, terminal))
    assert result.outcome.winner == 1
    assert "  > You resign" in terminal.printed


async def test_whoever_comes_back_hears_of_the_present_hand_alone(server: FakeServer) -> None:
    first = Script()

    def until_hand_two(question: str) -> str | None:
        return None if any("Hand 2:" in line for line in first.printed) else answer(question)

    answer = sensible(first)
    first.then = until_hand_two
    again = Script(then=lambda _: None)
    async with connected(server) as client:
        for terminal in (first, again):
            with pytest.raises(LeftTableError):
                await client.play(server.table.stream, person(server, terminal))
    told = [line for line in again.printed if line.startswith("  > ")]
    assert told[0].startswith("  > Hand 2:")


# --- the picture --------------------------------------------------------------------------------


def pictures(seed: int, *, hands: int) -> list[str]:
    """Return what seat 0 sees at each of its decisions in a match."""
    table = Table(seed, hands=hands).seated().play()
    story, teller = Story(table), Teller(PLAIN, ("Alice", "Bob"), you=0)
    views = [story.view(line) for line in table.lines]
    return [picture(view, teller, PLAIN) for view in views if view.hand.HasField("legal")]


@pytest.mark.parametrize("seed", range(4))
def test_the_picture_fits_on_a_small_terminal(seed: int) -> None:
    for drawn in pictures(seed, hands=3):
        assert len(drawn.splitlines()) <= 8
        assert max(map(len, drawn.splitlines())) <= 80


def test_the_first_picture_shows_the_own_hand_and_the_others_backs() -> None:
    lines = pictures(2, hands=1)[0].splitlines()
    assert lines[1].startswith("  Hand 1 - you 0 - Bob 0 - knock with 10")
    assert lines[2] == "  Bob        " + " ".join(["??"] * 10)
    assert lines[3] == "  stock      31 cards"
    assert lines[4].startswith("  pile       [")
    assert lines[5].startswith("  you        ")
    assert "deadwood" in lines[5]


def test_before_laying_off_the_knockers_melds_are_numbered() -> None:
    drawn = next(one for one in pictures(3, hands=6) if "1: " in one)
    row = drawn.splitlines()[2]
    assert row.startswith("  Bob        1: ")
    assert "  and " in row
    assert "?" not in row
