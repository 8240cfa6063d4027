"""Playing by itself, with a time that the test lets pass."""

from support_terminal import FakeTimer

from ginrummy.replay.terminal.player import PACES, Player


def player(events: int) -> tuple[Player, FakeTimer, list[int]]:
    """Return a player over so many events, its timer, and the events that it goes to."""
    timer, seen = FakeTimer(), [1]

    def step() -> bool:
        seen.append(seen[-1] + 1)
        return seen[-1] < events

    return Player(timer, step), timer, seen


def test_it_plays_on_to_the_end() -> None:
    one, timer, seen = player(3)
    one.start()
    assert one.is_playing
    assert timer.run() == 1.2
    assert timer.run() == 1.2
    assert (seen, one.is_playing, timer.due) == ([1, 2, 3], False, [])


def test_it_is_playing_while_it_steps() -> None:
    timer, said = FakeTimer(), []

    def step() -> bool:
        said.append(one.is_playing)
        return len(said) < 2

    one = Player(timer, step)
    one.start()
    timer.run()
    timer.run()
    assert (said, one.is_playing) == ([True, True], False)


def test_stopped_it_stays() -> None:
    one, timer, seen = player(9)
    one.start()
    one.stop()
    assert (seen, one.is_playing, timer.due) == ([1], False, [])


def test_started_twice_it_steps_once() -> None:
    one, timer, _ = player(9)
    one.start()
    one.start()
    assert len(timer.due) == 1


def test_the_pace_changes_at_once_and_has_ends() -> None:
    one, timer, _ = player(99)
    one.start()
    one.change_pace(1)
    assert timer.run() == 0.6
    for _ in PACES:
        one.change_pace(1)
    assert timer.run() == 0.25
    for _ in range(9):
        one.change_pace(-1)
    assert (one.pace.name, timer.run()) == ("slow", 2.4)


def test_a_pace_chosen_at_rest_starts_nothing() -> None:
    one, timer, _ = player(9)
    one.change_pace(1)
    assert (one.is_playing, timer.due) == (False, [])
