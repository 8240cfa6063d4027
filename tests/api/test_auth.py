"""Tokens: made of random bytes, read from the metadata, and never shown."""

import re
from contextvars import copy_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginrummy.api.auth import (
    TOKEN_ENTROPY,
    Caller,
    bearer,
    caller_of,
    caller_or_nobody,
    new_token,
    require_role,
    set_caller,
    token_hash,
)
from ginrummy.api.calls import Context
from ginrummy.api.errors import NotPermittedError, NotSignedInError
from ginrummy.store import hash_token
from ginrummy.store.credentials import Role

entropies = st.binary(min_size=TOKEN_ENTROPY, max_size=TOKEN_ENTROPY)


@given(entropies, entropies)
def test_every_random_byte_is_in_the_token(first: bytes, second: bytes) -> None:
    tokens = [new_token(lambda _: first), new_token(lambda _: second)]
    assert all(re.fullmatch("gin_[a-z2-7]{52}", token) for token in tokens)
    assert (tokens[0] == tokens[1]) == (first == second)


def test_a_token_takes_32_bytes() -> None:
    assert TOKEN_ENTROPY == 32
    assert new_token(bytes) == "gin_" + "a" * 52


@given(entropies)
def test_a_token_is_read_from_the_metadata(entropy: bytes) -> None:
    token = new_token(lambda _size: entropy)
    assert bearer([("user-agent", "x"), ("authorization", f"Bearer {token}")]) == token
    assert bearer([("authorization", f"bearer {token}".encode())]) == token


def test_there_may_be_none() -> None:
    assert bearer(None) is None
    assert bearer([("user-agent", "x"), ("x-bin", b"\0")]) is None


@pytest.mark.parametrize("text", ["", "Bearer", "Bearer ", "Basic x", "Bearer gin_x", "Bearer  x"])
def test_what_is_no_token_is_refused_and_not_quoted(text: str) -> None:
    with pytest.raises(NotSignedInError) as refused:
        bearer([("authorization", text + "s3cr3t")])
    assert "s3cr3t" not in str(refused.value)


def test_it_is_kept_as_the_store_keeps_it() -> None:
    assert token_hash("gin_x") == hash_token("gin_x")


def signed_in(role: Role | None) -> Context:
    """Sign somebody in; of a call's context nothing is asked."""
    set_caller(None if role is None else Caller("p_1", "Ann", role))
    nothing: Context = None  # type: ignore[assignment]  # it is not looked at
    return nothing


@pytest.mark.parametrize("role", ["player", "director", "auditor"])
@pytest.mark.parametrize("asked", ["player", "director", "auditor"])
def test_a_role_allows_what_is_its_own(role: Role, asked: Role) -> None:
    def check() -> None:
        context = signed_in(role)
        assert caller_of(context).role == role
        if role == asked:
            assert require_role(context, asked).player == "p_1"
        else:
            with pytest.raises(NotPermittedError, match=asked):
                require_role(context, asked)

    copy_context().run(check)


def test_nobody_may_do_nothing() -> None:
    def check() -> None:
        context = signed_in(None)
        assert caller_or_nobody(context) is None
        with pytest.raises(NotSignedInError):
            caller_of(context)
        with pytest.raises(NotSignedInError):
            require_role(context, "player")

    copy_context().run(check)
