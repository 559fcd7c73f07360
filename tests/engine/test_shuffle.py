"""The shuffle: fixed for ever by known answers, fair by count, and silent about its secret."""

from collections import Counter
from itertools import permutations

import pytest

from engine.errors import Unreadable
from engine.shuffle import Rng, Seed, seed_from_text
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


@pytest.mark.parametrize("words", [(), ("",), ("elma",), ("a", "", "ş" * 40)])
def test_a_seed_goes_to_text_and_back(words: tuple[str, ...]) -> None:
    seed = Seed(bytes(range(64)), words, "tablo-ç", 12)
    assert seed_from_text(seed.text()) == seed
    assert seed_from_text(seed.text().upper()) == seed


@pytest.mark.parametrize(
    "text",
    ["", "zz", "00", "0" * 64, SOME_SEED.text()[:-2], SOME_SEED.text() + "00", SOME_SEED.text()[:-1],
     Seed(bytes(63), (), "t", 1).text(), " " + SOME_SEED.text()],
)  # fmt: skip
def test_what_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        seed_from_text(text)
    assert refused.value.code == "bad_seed"


def test_a_seed_does_not_print_its_secret() -> None:
    seed = Seed(b"\x07" * 64, ("elma",), "t", 1)
    assert "\\x07" not in repr(seed)
    assert "elma" in repr(seed)
