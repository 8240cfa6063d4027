"""What every store promises of secrets and of players."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from support_store import START, FaultyStore

from ginrummy.store import Credential, PlayerExistsError, Store, StoreFailedError, hash_token

ANN = Credential("p_ann", "Ann", "player", hash_token("ann's token"), START)
BEN = Credential("p_ben", "Ben", "director", hash_token("ben's token"), START + 1)
CAT = Credential("p_cat", "Ann", "auditor", hash_token("cat's token"), START + 2)


def test_a_secret_is_kept_under_its_stream_and_name(store: Store) -> None:
    assert store.secret("m_a", "chain") is None
    assert store.keep_secret("m_a", "chain", b"\0secret\xff") == b"\0secret\xff"
    assert store.secret("m_a", "chain") == b"\0secret\xff"
    assert store.secret("m_a", "nonce0") is None
    assert store.secret("m_b", "chain") is None


def test_the_first_secret_stays(store: Store) -> None:
    store.keep_secret("m_a", "chain", b"first")
    assert store.keep_secret("m_a", "chain", b"second") == b"first"
    assert store.secret("m_a", "chain") == b"first"


def test_all_who_keep_a_secret_at_once_hear_of_the_same_one(store: Store) -> None:
    def keep(writer: int) -> bytes:
        return store.keep_secret("m_a", "chain", bytes([writer]))

    with ThreadPoolExecutor(8) as threads:
        heard = set(threads.map(keep, range(8)))
    assert heard == {store.secret("m_a", "chain")}


def test_all_secrets_are_listed_for_a_copy(store: Store) -> None:
    assert store.secrets_after() == []
    kept = [("m_b", "chain", b"1"), ("m_a", "nonce", b"2"), ("m_a", "chain", b"3"), ("n", "", b"4")]
    for each in kept:
        store.keep_secret(*each)
    assert store.secrets_after() == sorted(kept)
    assert store.secrets_after(limit=2) == sorted(kept)[:2]
    assert store.secrets_after("m_a", "nonce") == sorted(kept)[2:]


def test_secrets_are_in_no_stream(store: Store) -> None:
    store.keep_secret("m_a", "chain", b"secret")
    assert list(store.streams()) == []
    assert store.read_all() == []


def test_a_player_is_found_by_id_and_by_token(store: Store) -> None:
    for each in (BEN, ANN, CAT):
        store.add_player(each)
    assert store.player("p_ann") == ANN
    assert store.player_by_token(hash_token("ben's token")) == BEN
    assert store.players() == [BEN, ANN, CAT]
    assert store.player("p_nobody") is None
    assert store.player_by_token(hash_token("no token")) is None
    assert store.player_by_token("ben's token") is None


@pytest.mark.parametrize("field", ["player", "token_hash"])
def test_an_id_or_a_token_is_given_once(store: Store, field: str) -> None:
    store.add_player(ANN)
    known = {"player": BEN.player, "token_hash": BEN.token_hash} | {field: getattr(ANN, field)}
    with pytest.raises(PlayerExistsError):
        store.add_player(Credential(name="Ben", role="player", created=START, **known))
    assert store.players() == [ANN]
    store.add_player(BEN)
    assert store.players() == [ANN, BEN]


def test_what_was_kept_outlives_a_failed_commit(store: FaultyStore) -> None:
    store.keep_secret("m_a", "chain", b"secret")
    store.add_player(ANN)
    store.fault = "before"
    with pytest.raises(StoreFailedError):
        store.append([])
    store.fault = None
    assert store.secret("m_a", "chain") == b"secret"
    assert store.players() == [ANN]
