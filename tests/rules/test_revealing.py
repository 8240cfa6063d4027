"""When nonces and the secrets of hands come out: what the server has to reveal."""

import msgspec
from support_knocks import FOR_24, dealt_from, non_dealer_wins
from support_rules import (
    NONCES,
    SEATS,
    begun,
    carried_out,
    gathered,
    given_match,
    joined,
    opened,
    playing,
)

from ginrummy.rules import match as matches
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Play, Resign, RevealSecret
from ginrummy.rules.errors import Reason
from ginrummy.rules.events import Event, NonceRevealed, SecretRevealed
from ginrummy.rules.match import Gathering, Match, Playing

SECRET = "5e" * 32


def revealed(match: Match, hand: int) -> Match:
    """Return the match with the secret of that hand out."""
    return carried_out(match, RevealSecret(hand, SECRET))[1]


def test_secrets_come_out_at_the_end_by_default() -> None:
    """`match`: what a player never showed stays unshown while they still play."""
    match = non_dealer_wins(begun(opened(target=48, next_dealer="loser")))
    assert matches.due(match) == "deal"
    given_match(match).when(RevealSecret(1, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")
    match = non_dealer_wins(match)
    assert matches.due(match) == "reveal"
    given_match(match).when(RevealSecret(2, SECRET)).then(SecretRevealed(2, SECRET))
    match = revealed(match, 2)
    assert matches.due(match) is None
    given_match(match).when(RevealSecret(2, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")
    given_match(match).when(RevealSecret(1, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")


def test_a_secret_can_come_out_as_its_hand_ends() -> None:
    """`hand`: before the next one is dealt."""
    match = begun(opened(target=48, next_dealer="loser", reveal="hand"))
    given_match(match).when(RevealSecret(1, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")
    match = non_dealer_wins(match)
    assert matches.due(match) == "reveal"
    given_match(match).when(RevealSecret(2, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")
    match = revealed(match, 1)
    assert matches.due(match) == "deal"
    match = non_dealer_wins(match)
    assert matches.due(match) == "reveal"
    assert matches.due(revealed(match, 2)) is None


def test_the_secret_of_the_present_hand_stays_in() -> None:
    """`hand`: never before the hand is over."""
    match = given_match(playing(FOR_24, terms=opened(reveal="hand")))
    match.when(RevealSecret(1, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")
    match.when(RevealSecret(0, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")


def test_a_secret_that_is_late_can_follow_in_the_next_hand() -> None:
    """`hand`: the hand before is over, whatever is being played."""
    match = dealt_from(non_dealer_wins(begun(opened(reveal="hand"))), FOR_24)
    given_match(match).when(RevealSecret(1, SECRET)).then(SecretRevealed(1, SECRET))
    late = revealed(match, 1)
    assert isinstance(late, Playing)
    assert late.revealed == 1


def test_a_director_says_when_the_secrets_come_out() -> None:
    """`director`: never by itself, and not while the match is played."""
    match = non_dealer_wins(begun(opened(target=48, next_dealer="loser", reveal="director")))
    given_match(match).when(RevealSecret(1, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")
    match = non_dealer_wins(match)
    assert matches.due(match) is None
    given_match(match).when(RevealSecret(2, SECRET)).then(SecretRevealed(2, SECRET))


def test_a_hand_that_was_broken_off_is_revealed_as_well() -> None:
    """The last secret opens all before it, the unfinished hand's included."""
    over = carried_out(playing(FOR_24), Play(0, Resign()))[1]
    assert matches.due(over) == "reveal"
    assert matches.due(revealed(over, 1)) is None


def test_a_match_without_a_deal_has_nothing_to_reveal() -> None:
    """No secret was used."""
    over = carried_out(begun(), Play(0, Resign()))[1]
    assert matches.due(over) is None
    given_match(over).when(RevealSecret(0, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")
    given_match(over).when(RevealSecret(1, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")
    gathering = gathered(None, opened())
    assert isinstance(gathering, Gathering)
    given_match(gathering).when(RevealSecret(1, SECRET)).refused(Reason.NOT_ALLOWED_NOW, "")
    assert matches.due(gathering) is None
    left = carried_out(gathering, Play(0, Resign()))[1]
    assert matches.due(left) is None


def test_the_server_reveals_the_nonces_that_it_drew() -> None:
    """Once both have joined, seat 0's first; a player's own is theirs to reveal."""
    by_server = [msgspec.structs.replace(joined(seat), nonce_by="server") for seat in SEATS]

    def due_after(*events: Event) -> tuple[matches.Due | None, Seat | None]:
        match = gathered(None, opened(), *events)
        assert isinstance(match, Gathering)
        return matches.due(match), matches.nonce_to_reveal(match)

    assert due_after() == (None, None)
    assert due_after(by_server[0]) == (None, 0)
    assert due_after(joined(0), joined(1)) == (None, None)
    assert due_after(joined(0), by_server[1]) == ("nonce", 1)
    assert due_after(*by_server) == ("nonce", 0)
    first = NonceRevealed(0, NONCES[0])
    assert due_after(*by_server, first) == ("nonce", 1)
    assert due_after(by_server[0], joined(1), first) == (None, None)
