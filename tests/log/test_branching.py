"""Where a match can branch off, how it stands there, and which cards stay."""

import random
from collections import Counter
from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace
from support_forks import Fork, forked
from support_logs import Table, board_played, events_of, in_hand, played
from support_play import soak

from ginrummy.log.branching import (
    Branch,
    BranchError,
    HiddenCardsError,
    Kept,
    NoBranchError,
    NothingToPlayError,
    branch,
    position,
)
from ginrummy.log.fold import Fold
from ginrummy.log.lines import read_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules import hand as hands
from ginrummy.rules.cards import DECK, Card, Deck, Seat, card_set
from ginrummy.rules.commands import Deal, Play, Resign
from ginrummy.rules.events import Event, HandDealt, HandScored, HandVoided, Knocked, MatchEnded
from ginrummy.rules.match import Match, Playing, decide, evolve, with_deck
from ginrummy.rules.ruleset import PRESETS
from ginrummy.rules.view import HandView, MatchView, view
from ginrummy.rules.wishes import wish_of

SEATS: tuple[Seat, Seat] = (0, 1)

KEEPING_CARDS: tuple[tuple[Kept, Seat | None], ...] = (
    ("same", None),
    ("reshuffled", 0),
    ("reshuffled", 1),
)
"""The wishes that take cards which not everybody has seen."""


def states(table: Table) -> list[Match]:
    """Return the match after each of its events, all cards known."""
    fold = Fold(table.secrets)
    return [fold.add(read_line(raw)) for raw in table.log]


def branches(table: Table) -> list[tuple[int, Branch]]:
    """Return how a match stands at every event at which it can branch off, by what was asked."""
    secrets = revealed_secrets(table.log)
    found = []
    for seq in range(1, len(table.log) + 1):
        try:
            found.append((seq, branch(table.log, seq, secrets)))
        except NothingToPlayError:
            continue
    return found


def of_the_moment(seen: MatchView) -> tuple[object, ...]:
    """Return what a view shows of the hand and the score: what a fork takes over."""
    hand = seen.hand
    assert isinstance(hand, HandView)
    return replace(hand, number=0), seen.score, seen.perspective


# --- every event of a match -----------------------------------------------------------------------


def matches_of_all_kinds() -> list[Table]:
    tables = [
        played(seed, preset, reveal="hand" if seed % 2 else "match")
        for preset in PRESETS
        for seed in range(soak(12, 1))
    ]
    tables += [played(seed, stock_floor=20, max_discard_draws=4) for seed in range(soak(6, 1))]
    return [*tables, *(board_played(seed, seed + 1) for seed in range(soak(6, 1)))]


def test_at_every_event_of_a_match_both_seats_see_what_they_saw_there() -> None:
    """And everybody else does, with the same cards and with those dealt anew that they had not."""
    seen: Counter[str] = Counter()
    for number, table in enumerate(matches_of_all_kinds()):
        stood = states(table)
        for seq, at in branches(table):
            seen["groups"] += at.seq > seq
            there = stood[at.seq - 1]
            if not isinstance(there, Playing):
                assert at.upcard is None
                assert at.moves == ()
                seen["between hands"] += 1
                continue
            assert at.seq == seq
            for kept, seat in KEEPING_CARDS:
                fork = Fork(number, at, kept, seat)
                fork.seated()
                assert isinstance(fork.match, Playing)
                assert fork.match.hand.layout.pile == there.hand.layout.pile
                for eyes in SEATS if seat is None else (seat,):
                    assert of_the_moment(view(fork.match, eyes)) == of_the_moment(view(there, eyes))
                if kept == "same":
                    assert fork.match.hand.layout.dealt.deck == there.hand.layout.dealt.deck
            public = Fork(number, at, "reshuffled")
            public.seated()
            assert of_the_moment(view(public.match, "public")) == of_the_moment(
                view(there, "public")
            )
            seen[type(there.hand).__name__] += 1
    assert seen.keys() >= {"Offering", "Drawing", "Discarding", "LayingOff", "between hands"}
    assert min(seen.values()) > 5, seen


def test_what_was_played_there_comes_to_the_same_result_here() -> None:
    ends: Counter[str] = Counter()
    for number, table in enumerate(matches_of_all_kinds()):
        events = [read_line(raw).event for raw in table.log]
        rng = random.Random(number)
        places = [at for _, at in branches(table) if at.upcard is not None]
        for at in rng.sample(places, min(len(places), soak(20, 8))):
            fork = Fork(number, at)
            fork.seated()
            stood = states(table)
            for seq in range(at.seq + 1, len(events) + 1):
                wish = wish_of(stood[seq - 2], events[seq - 1])
                if isinstance(wish, Play):
                    fork.wait(1)
                    fork.move(wish.move, wish.seat)
                if isinstance(events[seq - 1], HandScored | HandVoided):
                    break
            found = [line.event for line in fork.lines]
            results = [each for each in found if isinstance(each, HandScored | HandVoided)]
            result = events[seq - 1]
            assert isinstance(result, HandScored | HandVoided)
            assert replace(results[0], hand=result.hand) == result
            ends[type(result).__name__] += 1
            if isinstance(events[seq], MatchEnded) and table.match.terms.board is None:
                assert events[seq] in found
                ends["match"] += 1
    assert min(ends["HandScored"], ends["HandVoided"], ends["match"]) > 1, ends


# --- where it can branch off ----------------------------------------------------------------------

GOOD = played(3, "classic")


def test_an_event_within_an_append_stands_for_the_last_that_follows_at_once() -> None:
    for before, after in pairwise(branches(GOOD)):
        assert after[1].seq >= before[1].seq
    (scored, *_) = events_of(GOOD.log, "hand_scored")
    at = branch(GOOD.log, scored, None)
    (laid_off,) = (seq for seq in events_of(GOOD.log, "laid_off") if seq == scored - 1)
    assert branch(GOOD.log, laid_off + 1, None) == branch(GOOD.log, scored + 1, None)
    assert at.seq >= scored


def test_between_two_hands_the_next_one_is_dealt_by_whose_deal_it_is() -> None:
    dealt = events_of(GOOD.log, "hand_dealt")
    for hand, index in enumerate(dealt[1:], start=2):
        at = branch(GOOD.log, index, None)
        assert (at.hand, at.upcard, at.moves) == (hand, None, ())
        event = read_line(GOOD.log[index]).event
        assert at.dealer == event.dealer  # type: ignore[union-attr]  # it is a deal
        fork = forked(GOOD.log, index)
        assert fork.match.terms.origin is not None
        assert fork.match.terms.origin.unseen == "fresh"
        assert fork.match.terms.first_dealer == at.dealer


def test_before_the_first_deal_nothing_is_taken_over() -> None:
    for seq in range(1, events_of(GOOD.log, "hand_dealt")[0] + 1):
        at = branch(GOOD.log, seq, None)
        assert (at.seq, at.hand, at.upcard, at.dealer) == (seq, 1, None, None)
        assert at.score.points == (0, 0)


def test_at_the_end_nothing_is_left_to_play_and_it_is_said_from_where_there_is() -> None:
    (end,) = events_of(GOOD.log, "match_ended")
    with pytest.raises(NothingToPlayError) as refused:
        branch(GOOD.log, end + 1, None)
    last = refused.value.last
    assert f"the last event from which it can go on is {last}" in str(refused.value)
    assert branch(GOOD.log, last, None).seq == last
    for seq in range(last + 1, len(GOOD.log) + 1):
        with pytest.raises(NothingToPlayError):
            branch(GOOD.log, seq, None)


@pytest.mark.parametrize("seq", [0, -1, 10_000, 2**62])
def test_an_event_that_there_is_not_is_refused(seq: int) -> None:
    with pytest.raises(NoBranchError) as refused:
        branch(GOOD.log, seq, None)
    assert refused.value.last == len(GOOD.log)


def test_a_match_that_was_resigned_goes_on_from_before_it_was() -> None:
    table = Table(5).seated().play(until=in_hand(2))
    table.act(Play(table.turn, Resign()), table.players[table.turn])
    (resigned,) = events_of(table.log, "resigned")
    with pytest.raises(NothingToPlayError) as refused:
        branch(table.log, resigned + 1, None)
    assert refused.value.last == resigned
    assert forked(table.log, resigned).match.terms.origin is not None


def test_a_match_that_ended_before_it_began_goes_on_from_there() -> None:
    table = Table(5)
    table.act(Play(0, Resign()), table.players[0])
    with pytest.raises(NothingToPlayError) as refused:
        branch(table.log, 2, None)
    assert refused.value.last == 1


def test_a_fork_is_forked_like_any_match() -> None:
    (deal, *_) = events_of(GOOD.log, "hand_dealt")
    first = forked(GOOD.log, deal + 9, "reshuffled")
    first.play()
    (dealt, *_) = events_of(first.log, "hand_dealt")
    # Right after the moves that were taken over, and further on.
    for seq in (dealt + 9, dealt + 11):
        second = forked(first.log, seq, seed=2)
        origin = second.match.terms.origin
        assert origin is not None
        assert (origin.match, origin.seq, origin.moves) == (first.stream, seq, seq - dealt - 1)
        assert isinstance(second.match, Playing)
        assert second.match.hand.layout.dealt.deck == states(first)[dealt].hand.layout.dealt.deck  # type: ignore[union-attr]
    # While the moves are being taken over there is nothing to decide: they are one group.
    assert branch(first.log, dealt + 3, None).seq == dealt + 9


# --- the cards that stay --------------------------------------------------------------------------


def test_cards_that_are_not_out_do_not_stay() -> None:
    table = Table(4).seated()
    table.play(until=lambda _: len(table.lines) > 20)
    at = branch(table.log, 20, revealed_secrets(table.log))
    for kept, seat in KEEPING_CARDS:
        with pytest.raises(HiddenCardsError, match="the cards of hand 1 are not out"):
            position(at, kept, seat, random.Random(1).randbytes)
    found = position(at, "reshuffled", None, random.Random(1).randbytes)
    assert found is not None
    assert found.is_possible


def test_what_everybody_has_seen_says_nothing_of_where_it_lay_in_the_deck() -> None:
    """From the lines alone and from an operator's secrets the same position comes."""
    table = Table(4).seated()
    table.play(until=lambda _: len(table.lines) > 40)
    for seq in range(6, len(table.log)):
        blind = branch(table.log, seq, None)
        known = branch(table.log, seq, table.secrets)
        assert replace(known, deck=None) == blind
        assert position(blind, "reshuffled", None, random.Random(seq).randbytes) == position(
            known, "reshuffled", None, random.Random(seq).randbytes
        )


def deep_in(table: Table) -> Branch:
    """Return a hand with many moves in it, and no knock."""
    going = [at for _, at in branches(table) if at.moves and not isinstance(at.moves[-1], Knocked)]
    return max(going, key=lambda at: len(at.moves))


def test_every_unseen_card_is_as_likely_in_every_open_place() -> None:
    """The unseen part is a fair shuffle: no card has a favourite place."""
    table = played(11)
    at = deep_in(table)
    there = states(table)[at.seq - 1]
    assert isinstance(there, Playing)
    viewer: Seat = 0
    seen = view(there, viewer)
    assert seen.hand is not None
    known = card_set((*seen.hand.pile, *seen.hand.hands[0].cards, *seen.hand.hands[1].cards))
    unseen = [card for card in DECK if not card.bit & known]
    hidden = seen.hand.hands[1].hidden
    assert 0 < hidden < len(unseen)
    trials = soak(6_000, 1_200)
    held: Counter[Card] = Counter()
    nexts: Counter[Card] = Counter()
    for seed in range(trials):
        fork = Fork(seed, at, "reshuffled", viewer, chain=1)
        fork.seated()
        assert isinstance(fork.match, Playing)
        layout = fork.match.hand.layout
        deck = layout.dealt.deck
        assert deck is not None
        assert sorted(deck, key=lambda card: card.index) == list(DECK)
        theirs = layout.hands[1]
        held.update(card for card in unseen if card.bit & theirs)
        nexts[deck[52 - layout.stock]] += 1
    for counts, share in ((held, hidden / len(unseen)), (nexts, 1 / len(unseen))):
        expected = trials * share
        chi = sum((counts[card] - expected) ** 2 / (expected * (1 - share)) for card in unseen)
        # About its mean of len(unseen) by five standard deviations at the most.
        assert abs(chi - len(unseen)) < 5 * (2 * len(unseen)) ** 0.5
        assert counts.keys() == set(unseen)


def test_the_cards_that_were_dealt_anew_change_no_byte_for_whom_they_are_hidden() -> None:
    """Two worlds that differ in what a seat may not know begin alike in its eyes."""
    rng = random.Random(5)
    differ = 0
    for number, table in enumerate(matches_of_all_kinds()[: soak(30, 4)]):
        places = [at for _, at in branches(table) if at.upcard is not None]
        for at in rng.sample(places, min(len(places), 12)):
            for eyes in (0, 1, "public"):
                viewer: Seat | None = None if eyes == "public" else eyes  # type: ignore[assignment]
                fork = Fork(number, at, "reshuffled", viewer, chain=2)
                fork.seated()
                worlds = [beginning(fork, fork_deck(fork)), beginning(fork, dealt_anew(fork, rng))]
                seen = [
                    [(event, encode(view(match, eyes))) for event, match in world]
                    for world in worlds
                ]
                assert seen[0] == seen[1]
                full = [[encode(view(match, "full")) for _, match in world] for world in worlds]
                differ += full[0] != full[1]
    assert differ > 50


encode = msgspec.json.encode


def fork_deck(fork: Fork) -> Deck:
    assert isinstance(fork.match, Playing)
    deck = fork.match.hand.layout.dealt.deck
    assert deck is not None
    return deck


def dealt_anew(fork: Fork, rng: random.Random) -> Deck:
    """Return the fork's deck with other cards in the open places of its position."""
    found = fork.secrets.position
    assert found is not None
    deck = [*fork_deck(fork)]
    places = [place for place, card in enumerate(found.places) if card is None]
    cards = rng.sample([deck[place] for place in places], len(places))
    for place, card in zip(places, cards, strict=True):
        deck[place] = card
    return tuple(deck)


def beginning(fork: Fork, deck: Deck) -> list[tuple[Event, Match]]:
    """Return what a fork begins with, were it dealt from this deck."""
    fold = Fold(fork.secrets)
    dealt = events_of(fork.log, "hand_dealt")[0]
    for line in fork.lines[:dealt]:
        fold.add(line)
    match, at = fold.match, fork.at
    found: list[tuple[Event, Match]] = []
    for line in fork.lines[dealt:]:
        wish = Deal(deck) if isinstance(line.event, HandDealt) else wish_of(match, line.event)
        assert wish is not None
        (event,) = decide(match, wish, at)
        match = evolve(match, event, at)
        if isinstance(event, HandDealt):
            match = with_deck(match, deck)
        found.append((event, match))
    return found


def test_no_two_forks_have_the_same_unseen_cards() -> None:
    table = played(11)
    at = deep_in(table)
    decks = set()
    for seed in range(20):
        fork = Fork(seed, at, "reshuffled", 1, chain=1)
        fork.seated()
        assert isinstance(fork.match, Playing)
        decks.add(fork.match.hand.layout.dealt.deck)
    assert len(decks) == 20


def test_a_face_down_card_is_unseen_but_by_its_knocker() -> None:
    table = played(8)
    (at, *_) = [at for _, at in branches(table) if at.moves and isinstance(at.moves[-1], Knocked)]
    knocked = at.moves[-1]
    assert isinstance(knocked, Knocked)
    there = states(table)[at.seq - 1]
    assert isinstance(there, Playing)
    face_down = set()
    for seed in range(12):
        for seat in SEATS:
            fork = Fork(seed, at, "reshuffled", seat, chain=1)
            fork.seated()
            assert isinstance(fork.match, Playing)
            layout = fork.match.hand.layout
            if seat == knocked.seat:
                assert layout.face_down == there.hand.layout.face_down
            else:
                face_down.add(layout.face_down)
            assert hands.to_move(fork.match.hand) == 1 - knocked.seat
    assert len(face_down) > 6


def test_a_board_goes_on_as_a_match_of_one_hand() -> None:
    table = board_played(6, 3)
    (deal,) = events_of(table.log, "hand_dealt")
    fork = forked(table.log, deal + 5)
    assert (fork.match.terms.rules.hands, fork.match.terms.board) == (1, None)
    assert fork.play().match.outcome.reason == "hands"  # type: ignore[union-attr]  # it has ended


def test_a_damaged_log_is_not_branched_off_from() -> None:
    with pytest.raises(ValueError, match="cannot follow"):
        branch([GOOD.log[0], GOOD.log[6]], 2, None)
    with pytest.raises(BranchError):
        branch(GOOD.log[:0], 1, None)
