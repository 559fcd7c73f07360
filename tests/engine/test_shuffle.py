"""The shuffle: fixed by known answers, fair by counts, and silent about its secret."""

import hashlib
import hmac
from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest

from engine.errors import Unreadable
from engine.shuffle import Beacon, Purpose, Rng, Seed, seed_from_text
from engine.tiles import FULL_SET, text_of
from tests.engine.laid_out import SOME_SEED


def seeds(count: int) -> list[Seed]:
    return [Seed(number.to_bytes(64, "big"), (), "fair", 1) for number in range(count)]


def test_the_same_seed_gives_the_same_order_and_another_word_another_one() -> None:
    order = Rng(SOME_SEED, "deal").shuffle(FULL_SET)
    assert order == Rng(SOME_SEED, "deal").shuffle(FULL_SET)
    assert Counter(order) == Counter(FULL_SET)
    others = [
        Seed(SOME_SEED.secret, ("elma", "gol"), "tbl1", 1),
        Seed(SOME_SEED.secret, ("elmag", "öl"), "tbl1", 1),
        Seed(SOME_SEED.secret, SOME_SEED.words, "tbl2", 1),
        Seed(SOME_SEED.secret, SOME_SEED.words, "tbl1", 2),
        Seed(bytes(64), SOME_SEED.words, "tbl1", 1),
    ]
    for other in others:
        assert Rng(other, "deal").shuffle(FULL_SET) != order
    assert Rng(SOME_SEED, "seats").shuffle(FULL_SET) != order


def test_known_answers_never_change() -> None:
    """Computed with the checker of docs/verify.md, which shares no code with the engine."""
    chance = Rng(SOME_SEED, "deal")
    assert text_of(chance.shuffle(FULL_SET)[:12]) == "R9 Y11 R5 R3 K1 R9 K5 K13 K6 K8 B3 R2"
    assert [chance.die() for _ in range(6)] == [6, 6, 6, 2, 2, 3]
    assert SOME_SEED.commitment() == "e79316b1b9b0d8fd7a9f3751025816ef11207faebe1ce3c05f760776fb67d3be"


def test_the_commitment_is_bound_to_table_and_round_and_not_to_the_words() -> None:
    secret = SOME_SEED.secret
    assert Seed(secret, (), "tbl1", 1).commitment() == SOME_SEED.commitment()
    assert Seed(secret, (), "tbl", 11).commitment() != Seed(secret, (), "tbl1", 1).commitment()


def test_every_order_is_as_likely() -> None:
    """3 items, 6 orders, 6000 seeds: 1000 each, five standard deviations (29) allowed."""
    seen = Counter(tuple(Rng(seed, "deal").shuffle("abc")) for seed in seeds(6000))
    assert set(seen) == set(permutations("abc"))
    assert all(abs(times - 1000) < 145 for times in seen.values())


def test_every_face_of_the_die_is_as_likely() -> None:
    chance = Rng(SOME_SEED, "seats")
    thrown = Counter(chance.die() for _ in range(6000))
    assert set(thrown) == {1, 2, 3, 4, 5, 6}
    assert all(abs(times - 1000) < 145 for times in thrown.values())


def test_numbers_stay_below_their_bound() -> None:
    chance = Rng(SOME_SEED, "deal")
    assert {chance.below(1) for _ in range(5)} == {0}
    assert {chance.below(2) for _ in range(100)} == {0, 1}
    assert {chance.below(5) for _ in range(300)} == {0, 1, 2, 3, 4}
    assert {chance.below(256) for _ in range(9000)} == set(range(256))


QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
SIGNATURE = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
DRAND = Beacon(QUICKNET, 657413, bytes.fromhex(SIGNATURE))
"""A round of drand's quicknet, as published."""


def packed(*values: bytes) -> bytes:
    return b"".join(len(value).to_bytes(4, "big") + value for value in values)


def test_the_randomness_is_the_one_that_drand_tells() -> None:
    assert DRAND.randomness.hex() == "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"
    assert Beacon(QUICKNET, 657413, b"").randomness == b""


@pytest.mark.parametrize("purpose", ["deal", "seats"])
@pytest.mark.parametrize("signature", [bytes.fromhex(SIGNATURE), b""], ids=["signed", "silent"])
def test_with_a_beacon_the_bytes_are_those_of_the_page(purpose: Purpose, signature: bytes) -> None:
    """Written out from docs/verify.md, "The algorithm in words"."""
    seed = replace(SOME_SEED, beacon=Beacon(QUICKNET, 657413, signature))
    randomness = hashlib.sha256(signature).digest() if signature else b""
    expected = b""
    for block in (b"0", b"1"):
        bound = (purpose.encode(), b"tbl1", b"1", block)
        entered = (QUICKNET.encode(), b"657413", randomness)
        message = packed(b"okey-shuffle/2", *bound, *entered, b"elma", "göl".encode())
        expected += hmac.new(bytes(range(64)), message, hashlib.sha512).digest()
    chance = Rng(seed, purpose)
    assert bytes(chance.below(256) for _ in range(128)) == expected
    text = packed(
        b"okey-seed/2", bytes(range(64)), b"tbl1", b"1", QUICKNET.encode(), b"657413", signature, b"elma"
    )
    assert seed.text() == (text + packed("göl".encode())).hex()
    assert seed_from_text(seed.text()) == seed
    assert seed.commitment() == SOME_SEED.commitment(), "published before anything of this was known"


def test_whatever_enters_from_the_beacon_changes_the_order() -> None:
    beacons = [
        None,
        DRAND,
        Beacon(QUICKNET, 657413, b""),
        Beacon(QUICKNET, 657414, DRAND.signature),
        Beacon("ab" * 32, 657413, DRAND.signature),
        Beacon(QUICKNET, 657413, DRAND.signature[::-1]),
    ]
    orders = {tuple(Rng(replace(SOME_SEED, beacon=each), "deal").shuffle(FULL_SET)) for each in beacons}
    assert len(orders) == len(beacons)


@pytest.mark.parametrize("words", [(), ("",), ("elma",), ("a", "", "ş" * 40)])
def test_a_seed_goes_to_text_and_back(words: tuple[str, ...]) -> None:
    seed = Seed(bytes(range(64)), words, "tablo-ç", 12)
    assert seed_from_text(seed.text()) == seed
    assert seed_from_text(seed.text().upper()) == seed


@pytest.mark.parametrize(
    "text",
    ["", "zz", "00", "0" * 64, SOME_SEED.text()[:-2], SOME_SEED.text() + "00", SOME_SEED.text()[:-1],
     Seed(bytes(63), (), "t", 1).text(), " " + SOME_SEED.text(),
     packed(b"okey-seed/2", bytes(64), b"t", b"1", b"c", b"1").hex(),
     packed(b"okey-seed/2", bytes(64), b"t", b"1", b"c", b"x", b"").hex(),
     packed(b"okey-seed/3", bytes(64), b"t", b"1", b"c", b"1", b"").hex()],
)  # fmt: skip
def test_what_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        seed_from_text(text)
    assert refused.value.code == "bad_seed"


def test_a_seed_does_not_print_its_secret() -> None:
    seed = Seed(b"\x07" * 64, ("elma",), "t", 1)
    assert "\\x07" not in repr(seed)
    assert "elma" in repr(seed)
