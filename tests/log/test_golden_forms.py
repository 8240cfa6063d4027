"""Every form that ever shipped reads as it did when it shipped (D5).

`golden/forms_v1.jsonl` holds each event in its first form, one chained line each, and
`golden/forms_v2.jsonl` what came with boards, `golden/forms_v3.jsonl` what came with signatures,
terms for disputes and matches that branch off, `golden/forms_forks.jsonl` what came with forks, and
`golden/forms_disputes.jsonl` what came with disputes. The values beside them here are what those
lines mean, for ever: a line of them is never changed, only added.
(The stories they tell are no legal matches; whole matches are in the other golden logs.)
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from ginrummy.log.instants import read_instant
from ginrummy.log.lines import EVENT_TYPES, FORMS, GENESIS, read_line, write_line
from ginrummy.rules.cards import BySeat, Card, Seat, parse_cards
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandPoints,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.events import (
    Board,
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Discarded,
    DiscardTaken,
    EndReason,
    Event,
    Forfeited,
    ForfeitReason,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    LayOffCard,
    Limits,
    MatchCreated,
    MatchEnded,
    NonceRevealed,
    Origin,
    PlayerJoined,
    PositionRevealed,
    Resigned,
    SecretRevealed,
    StockDrawn,
    TimeControl,
    UpcardPassed,
)
from ginrummy.rules.ruleset import Ruleset

GOLDEN = Path(__file__).parents[1] / "golden"

ANN = "p_2c9rj4x7wqk0m5t8hz3vb6nd1f"
BO = "p_7hw3n0v5kd8q2xg6zj9tc4rb1m"
DIRECTOR = "p_0dq8m2k6y4sv1xj7ch9rn3wt5e"
SIGNATURE = (
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
)

FIRST: tuple[tuple[str, str, str, Event], ...] = (
    (
        "2026-11-29T22:48:58.123456Z",
        ANN,
        "create-1",
        MatchCreated(
            rules=Ruleset(
                knock_limit=8,
                gin_only=False,
                oklahoma=False,
                spades_double=False,
                run_max=None,
                may_return_taken_card=False,
                gin_bonus=25,
                undercut_bonus=20,
                big_gin=True,
                big_gin_bonus=31,
                stock_floor=2,
                max_discard_draws=50,
                next_dealer="loser",
                target=150,
                hands=10,
                game_bonus=100,
                box_bonus=25,
                shutout_doubles=True,
            ),
            clock=TimeControl(bank_ms=600_000, increment_ms=5_000, decision_ms=None),
            limits=Limits(illegal_moves=20, start_ms=3_600_000, idle_ms=86_400_000),
            reveal="match",
            commitment="e86298abdd22a55548437c77d06c16663263c785e08ea6b06565563673135208",
            chain=1000,
            board=None,
            first_dealer=None,
            seats=BySeat(None, BO),
            name='Ann "Gin" O\'Neill \\ Bö \t♠',
        ),
    ),
    (
        "2026-11-29T22:48:59.123457Z",
        ANN,
        "join-1",
        PlayerJoined(
            seat=0,
            player=ANN,
            name="Ann",
            nonce_commitment="a8faed6abbf35c12a4b26e40f6feb19d736d90045c83b9f9a31f638d323e6811",
            nonce_by="player",
            key="d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        ),
    ),
    (
        "2026-11-29T22:49:01.123459Z",
        BO,
        "join-2",
        PlayerJoined(
            seat=1,
            player=BO,
            name="Bö 🂡",
            nonce_commitment="6995d874e546bd6eae594d5ef6b696bad37e7c076ad2ab7a7f5460ac8b8472fe",
            nonce_by="server",
            key=None,
        ),
    ),
    (
        "2026-11-29T22:49:01.123459Z",
        ANN,
        "nonce-1",
        NonceRevealed(seat=0, nonce="00112233445566778899aabbccddeeff"),
    ),
    (
        "2026-11-29T22:49:05.123463Z",
        "server",
        "nonce-1",
        NonceRevealed(seat=1, nonce="f0e1d2c3b4a5968778695a4b3c2d1e0f"),
    ),
    (
        "2026-11-29T22:49:10.123468Z",
        "server",
        "nonce-1",
        HandDealt(hand=1, dealer=1, upcard=Card("AH")),
    ),
    ("2026-11-29T22:49:10.123468Z", ANN, "a1", UpcardPassed(seat=0)),
    ("2026-11-29T22:49:17.123475Z", BO, "b1", DiscardTaken(seat=1, card=Card("AH"))),
    ("2026-11-29T22:49:25.123483Z", BO, "b2", Discarded(seat=1, card=Card("KC"))),
    ("2026-11-29T22:49:25.123483Z", ANN, "a2", StockDrawn(seat=0)),
    (
        "2026-11-29T22:49:35.123493Z",
        ANN,
        "a3",
        Knocked(
            seat=0,
            melds=(parse_cards("7S 7H 7D"), parse_cards("2C 3C 4C 5C")),
            deadwood=parse_cards("AS 2H 3D"),
            gin=False,
        ),
    ),
    (
        "2026-11-29T22:49:46.123504Z",
        BO,
        "b3",
        LaidOff(
            seat=1,
            melds=(parse_cards("TS TH TD"),),
            layoffs=(LayOffCard(Card("6C"), 1), LayOffCard(Card("7C"), 0)),
            deadwood=parse_cards("9S QH KD 4S 5H"),
        ),
    ),
    (
        "2026-11-29T22:49:46.123504Z",
        "server",
        "b3",
        HandScored(
            hand=1,
            kind="knock",
            winner=0,
            points=32,
            deadwood=BySeat(6, 38),
            difference=32,
            bonus=0,
            doubled=False,
        ),
    ),
    ("2026-11-29T22:49:59.123517Z", "server", "b9", HandVoided(hand=2, reason="discard_draws")),
    ("2026-11-29T22:50:13.123531Z", DIRECTOR, "pause-1", ClockPaused()),
    ("2026-11-29T22:50:13.123531Z", DIRECTOR, "resume-1", ClockResumed()),
    ("2026-11-29T22:50:29.123547Z", "server", "", ClockExpired(seat=0)),
    ("2026-11-29T22:50:46.123564Z", BO, "c7", Resigned(seat=1)),
    ("2026-11-29T22:50:46.123564Z", "server", "c8", Forfeited(seat=0, reason="illegal_moves")),
    (
        "2026-11-29T22:51:05.123583Z",
        "server",
        "c8",
        MatchEnded(
            reason="illegal_moves",
            winner=1,
            points=BySeat(32, 0),
            hands_won=BySeat(1, 0),
            game_bonus=BySeat(0, 0),
            box_bonus=BySeat(0, 0),
            doubled=False,
            totals=BySeat(32, 0),
        ),
    ),
    (
        "2026-11-29T22:51:25.123603Z",
        "server",
        "c8",
        SecretRevealed(
            hand=2, secret="1f10cf5f5ba3c066928d263443b84b31b67ecf2a3cb4788f6b0a1209dd1711d7"
        ),
    ),
)

_TERMS = FIRST[0][3]
assert isinstance(_TERMS, MatchCreated)

_WINNERS: Mapping[EndReason, Seat | None] = {
    "crash": 0,
    "stall": 0,
    "no_show": 0,
    "withdrawn": 0,
    "aborted": None,
    "round_clock": 1,
}

_ENDS = tuple(
    MatchEnded(
        reason=reason,
        winner=winner,
        points=BySeat(0, 31),
        hands_won=BySeat(0, 1),
        game_bonus=BySeat(0, 0),
        box_bonus=BySeat(0, 0),
        doubled=False,
        totals=BySeat(0, 31),
    )
    for reason, winner in _WINNERS.items()
)

_FORFEITS: tuple[ForfeitReason, ...] = ("crash", "stall", "no_show", "withdrawn")

WITH_BOARDS: tuple[tuple[str, str, str, Event], ...] = (
    ("2026-12-05T09:00:00.000001Z", ANN, "create-2", _TERMS),
    (
        "2026-12-05T09:00:01.000002Z",
        ANN,
        "join-3",
        PlayerJoined(
            seat=0,
            player=ANN,
            name="Ann",
            nonce_commitment="a8faed6abbf35c12a4b26e40f6feb19d736d90045c83b9f9a31f638d323e6811",
            nonce_by="player",
            key="d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        ),
    ),
    (
        "2026-12-05T10:00:00.000003Z",
        "server",
        "r1-t4-b7-h2",
        MatchCreated(
            rules=_TERMS.rules,
            clock=None,
            limits=Limits(illegal_moves=3, start_ms=3_600_000, idle_ms=60_000),
            reveal="director",
            commitment="e86298abdd22a55548437c77d06c16663263c785e08ea6b06565563673135208",
            chain=96,
            board=Board(
                tournament="t_3d8zq1h5w9n4kx7vr2cm6yj0gb",
                number=7,
                mix="f4ad4ec4e41ec3f31cd3e9b3ad3f9db5ef3a9ac4dd8e8f40c5d29dcd9c6dc8a4",
            ),
            first_dealer=None,
            seats=BySeat(BO, ANN),
            name="Winter Open, board 7",
        ),
    ),
    (
        "2026-12-05T10:00:00.000003Z",
        "server",
        "r1-t4-b7-h2",
        PlayerJoined(
            seat=0, player=BO, name="Bö 🂡", nonce_commitment=None, nonce_by=None, key=None
        ),
    ),
    *(
        ("2026-12-05T10:05:00.000004Z", "server", "", Forfeited(seat=1, reason=reason))
        for reason in _FORFEITS
    ),
    *(("2026-12-05T10:05:00.000004Z", "server", "", ended) for ended in _ENDS),
)


_ORIGIN = Origin(
    kind="fork",
    match="m_4vk2c8w0r6ht9zq3nx5b7jd1ge",
    seq=11,
    hash="014db77fbc3d32cc538bce9a633d294a0ca04540e6dee424cbc6dec4539cebf4",
    hand=1,
    scores=BySeat(32, 0),
    hands_won=BySeat(1, 0),
    unseen="reshuffled",
    seat=1,
    position="f4ad4ec4e41ec3f31cd3e9b3ad3f9db5ef3a9ac4dd8e8f40c5d29dcd9c6dc8a4",
    moves=4,
)
_REPLAY = replace(
    _ORIGIN,
    kind="replay",
    hand=3,
    scores=BySeat(0, -7),
    hands_won=BySeat(0, 0),
    unseen="fresh",
    seat=None,
    position=None,
    moves=0,
)

WITH_SIGNATURES: tuple[tuple[str, str, str, Event], ...] = (
    (
        "2026-12-12T09:00:00.000001Z",
        ANN,
        "create-3",
        replace(_TERMS, signing="required", dispute_ms=86_400_000),
    ),
    (
        "2026-12-12T10:00:00.000001Z",
        DIRECTOR,
        "fork-1",
        replace(_TERMS, signing="optional", dispute_ms=0, origin=_ORIGIN),
    ),
    (
        "2026-12-12T11:00:00.000001Z",
        DIRECTOR,
        "replay-1",
        replace(_TERMS, signing="off", dispute_ms=3_600_000, origin=_REPLAY),
    ),
    (
        "2026-12-12T12:00:00.000001Z",
        DIRECTOR,
        "replay-2",
        replace(_TERMS, origin=replace(_REPLAY, unseen="same")),
    ),
)


WITH_FORKS: tuple[tuple[str, str, str, Event], ...] = (
    (
        "2026-12-13T09:00:00.000001Z",
        "server",
        "",
        PositionRevealed(
            salt="5f2b0c9d7e8a41366b90d2f4a7c1e853",
            cards=(
                *parse_cards("QS KS 5C 7D 3C 4H 5D 9S 3H 2C 6H QD 3S 9H AC KC AS QC 7C 9C AH"),
                *(None,) * 30,
                *parse_cards("4C"),
            ),
        ),
    ),
)

SECOND_DIRECTOR = "p_1xr6t0e8w4kqz9vm2c7jd5hny3"

WITH_DISPUTES: tuple[tuple[str, str, str, Event], ...] = (
    (
        "2026-12-14T09:00:00.000001Z",
        ANN,
        "open-1",
        DisputeOpened(
            dispute=1,
            seat=0,
            hand=2,
            event=41,
            scored=HandPoints(winner=1, points=31),
            reason="card_not_in_deck",
            text='She "found" a second ♠7 \\ nobody saw it.',
        ),
    ),
    (
        "2026-12-14T09:10:00.000002Z",
        BO,
        "open-2",
        DisputeOpened(
            dispute=2, seat=1, hand=None, event=3, scored=None, reason="conduct", text="He shouted."
        ),
    ),
    (
        "2026-12-14T10:00:00.000003Z",
        DIRECTOR,
        "rule-1",
        DisputeRuled(
            dispute=1,
            instance=1,
            ruling="adjust",
            points=BySeat(12, -31),
            seat=None,
            rule="S1",
            why="The hand is counted as the melds stand.",
        ),
    ),
    (
        "2026-12-14T10:00:00.000003Z",
        "server",
        "rule-1",
        ResultAdjusted(
            dispute=1,
            reason="ruling",
            winner=0,
            points=BySeat(112, 60),
            hands_won=BySeat(4, 1),
            game_bonus=BySeat(100, 0),
            box_bonus=BySeat(75, 0),
            doubled=False,
            totals=BySeat(287, 60),
        ),
    ),
    (
        "2026-12-14T10:30:00.000004Z",
        BO,
        "appeal-1",
        DisputeAppealed(dispute=1, seat=1, text="The upcard was mine."),
    ),
    (
        "2026-12-14T11:00:00.000005Z",
        SECOND_DIRECTOR,
        "rule-2",
        DisputeRuled(
            dispute=1,
            instance=2,
            ruling="replay",
            points=BySeat(0, 0),
            seat=None,
            rule="C1",
            why="Nobody can say what was dealt.",
        ),
    ),
    (
        "2026-12-14T11:20:00.000006Z",
        "server",
        "replay-1",
        HandReplayed(
            dispute=1,
            instance=2,
            match="m_6k1v9szrxm3w7j2d5hq0yc4nfa",
            seq=28,
            hash="6e34060cd1e4f0e1ee0b3d5d1dbc5ba4ba5b4cbf1c2d8ad15f0a7a0a0f6e9c11",
            reason="hands",
            scored=HandPoints(winner=0, points=25),
        ),
    ),
    (
        "2026-12-14T12:00:00.000007Z",
        SECOND_DIRECTOR,
        "rule-3",
        DisputeRuled(
            dispute=2,
            instance=1,
            ruling="forfeit",
            points=BySeat(0, 0),
            seat=0,
            rule="R2",
            why="Two people heard it.",
        ),
    ),
    (
        "2026-12-14T12:30:00.000008Z",
        "server",
        "replay-2",
        HandReplayed(
            dispute=3,
            instance=1,
            match="m_8gx3t6b1z5qk0wy9vh4rc7nd2f",
            seq=5,
            hash="0b0a5ca5a7f2b7fd2b4b1e6c1f5a9d8e7c6b5a49382716051423324150617283",
            reason="abandoned",
            scored=None,
        ),
    ),
)


class Story(NamedTuple):
    """Golden lines, and what they mean."""

    file: str
    stream: str
    meanings: tuple[tuple[str, str, str, Event], ...]
    versions: tuple[int, ...]
    head: str

    @property
    def lines(self) -> list[bytes]:
        """The stored lines."""
        return (GOLDEN / self.file).read_bytes().splitlines()


STORIES = (
    Story(
        "forms_v1.jsonl",
        "m_4vk2c8w0r6ht9zq3nx5b7jd1ge",
        FIRST,
        (1,) * len(FIRST),
        "014db77fbc3d32cc538bce9a633d294a0ca04540e6dee424cbc6dec4539cebf4",
    ),
    Story(
        "forms_v2.jsonl",
        "m_8gx3t6b1z5qk0wy9vh4rc7nd2f",
        WITH_BOARDS,
        (2,) * 4 + (1,) * 10,
        "feb6825d899a4b462f704c6da9b6d0ee3a27a6add69c47f360cd18879d12d97a",
    ),
    Story(
        "forms_v3.jsonl",
        "m_5n0t8ywqk2v6hz1c4jr9xb3mde",
        WITH_SIGNATURES,
        (3,) * len(WITH_SIGNATURES),
        "4c31751b4483e39cf6c1436e988b97858873eaa119b29570816b5a51e1ab3182",
    ),
    Story(
        "forms_forks.jsonl",
        "m_6k1v9szrxm3w7j2d5hq0yc4nfa",
        WITH_FORKS,
        (1,) * len(WITH_FORKS),
        "2bac6ee91720bfe7eab20323302ec7f08412ef08602cac4df2e817f584322389",
    ),
    Story(
        "forms_disputes.jsonl",
        "m_2z7d4h9x0gkcw5qj8rn1vb6mt3",
        WITH_DISPUTES,
        (1,) * len(WITH_DISPUTES),
        "dd6c5250f39628fcadd52de1ea7dce185d5ee41eb40e37c11f0ffb1703437bc4",
    ),
)

PLACES = [
    pytest.param(story, place, id=f"{story.file} {place + 1}")
    for story in STORIES
    for place in range(len(story.meanings))
]


@pytest.mark.parametrize(("story", "place"), PLACES)
def test_a_stored_line_means_what_it_meant(story: Story, place: int) -> None:
    at, by, cmd, event = story.meanings[place]
    lines = story.lines
    line = read_line(lines[place])
    assert line.event == event
    assert (line.at, line.by, line.cmd) == (read_instant(at), by, cmd)
    assert (line.stream, line.seq, line.v) == (story.stream, place + 1, story.versions[place])
    assert line.prev == (hashlib.sha256(lines[place - 1]).hexdigest() if place else GENESIS)
    assert line.sig == (SIGNATURE if cmd == "a2" else None)


@pytest.mark.parametrize(("story", "place"), PLACES)
def test_while_it_is_the_newest_form_it_is_written_so(story: Story, place: int) -> None:
    raw = story.lines[place]
    line = read_line(raw)
    again = write_line(
        line.stream, line.seq, line.at, line.by, line.cmd, line.event, line.prev, sig=line.sig
    )
    assert (again.raw == raw) == (FORMS.newest(line.event) == (line.type, line.v))
    assert again.event == line.event


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.file)
def test_the_chain_ends_where_it_ended(story: Story) -> None:
    assert len(story.lines) == len(story.meanings)
    assert hashlib.sha256(story.lines[-1]).hexdigest() == story.head


def test_every_event_and_every_version_is_among_them() -> None:
    read = [read_line(raw) for story in STORIES for raw in story.lines]
    newest = {event: FORMS.newest(line.event)[1] for line in read for event in [line.type]}
    assert newest.keys() == set(EVENT_TYPES)
    assert {(line.type, line.v) for line in read} == {
        (event, version) for event in newest for version in range(1, newest[event] + 1)
    }
