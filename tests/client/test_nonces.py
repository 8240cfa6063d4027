"""Nonces in files: there after a restart, and for nobody else."""

from pathlib import Path

import pytest

from ginrummy.client import NonceFiles
from ginrummy.client.nonces import kept_nonce, nonce_key

KEY = nonce_key("m_1", "p_1")


@pytest.fixture
def nonces(tmp_path: Path) -> NonceFiles:
    return NonceFiles(tmp_path / "state" / "nonces")


def test_a_nonce_is_drawn_once_and_kept(nonces: NonceFiles, tmp_path: Path) -> None:
    nonce = kept_nonce(nonces, KEY)
    assert len(nonce) == 16
    assert kept_nonce(nonces, KEY) == nonce
    assert NonceFiles(tmp_path / "state" / "nonces")[KEY] == nonce


def test_two_players_of_one_match_have_two(nonces: NonceFiles) -> None:
    assert kept_nonce(nonces, KEY) != kept_nonce(nonces, nonce_key("m_1", "p_2"))
    assert len(nonces) == 2
    assert set(nonces) == {KEY, nonce_key("m_1", "p_2")}


def test_the_file_is_for_its_owner_alone(nonces: NonceFiles, tmp_path: Path) -> None:
    nonces[KEY] = bytes(16)
    (file,) = (tmp_path / "state" / "nonces").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0


def test_a_forgotten_nonce_is_gone(nonces: NonceFiles) -> None:
    nonces[KEY] = bytes(16)
    del nonces[KEY]
    assert KEY not in nonces
    assert len(nonces) == 0
    with pytest.raises(KeyError):
        del nonces[KEY]


def test_a_damaged_file_is_no_nonce(nonces: NonceFiles, tmp_path: Path) -> None:
    nonces[KEY] = bytes(16)
    (tmp_path / "state" / "nonces" / f"{KEY}.nonce").write_text("nonsense")
    assert nonces.get(KEY) is None


@pytest.mark.parametrize("name", ["../outside", "", "a/b", ".hidden"])
def test_an_id_is_not_let_out_of_the_directory(nonces: NonceFiles, name: str) -> None:
    with pytest.raises(KeyError):
        nonces[name] = bytes(16)
