"""Leases: who is at work, and what is whose."""

import time

import pytest

from bot.store import Store
from bot.store.server import Server
from tests.conftest import Until

ADA, CAN, BOTH = frozenset({"ada"}), frozenset({"can"}), frozenset({"ada", "can"})
CLOCK, TG = frozenset({"clock"}), frozenset({"tg"})
NOTHING = frozenset[str]()


async def test_who_is_alive_is_told_with_the_chats_they_serve(store: Store) -> None:
    first = await store.leases.attend("ada", TG, 60)
    assert (first.unbroken, first.workers) == (False, {"ada": TG})
    await store.leases.attend("can", NOTHING, 60)
    again = await store.leases.attend("ada", TG | {"dc"}, 60)
    assert (again.unbroken, again.workers) == (True, {"ada": {"tg", "dc"}, "can": NOTHING})
    await store.leases.leave("can")
    assert (await store.leases.attend("ada", TG, 60)).workers == {"ada": TG}


async def test_of_those_who_serve_a_chat_one_receives_until_it_is_gone(store: Store) -> None:
    assert (await store.leases.attend("ada", TG, 60)).receives == TG
    assert (await store.leases.attend("can", TG | {"dc"}, 60)).receives == {"dc"}
    assert (await store.leases.attend("ada", TG | {"dc"}, 60)).receives == TG
    await store.leases.attend("ada", NOTHING, 60)
    assert (await store.leases.attend("can", TG | {"dc"}, 60)).receives == TG | {"dc"}, "ada serves none"
    await store.leases.leave("can")
    assert (await store.leases.attend("ada", TG, 60)).receives == TG


async def test_whoever_is_silent_for_too_long_is_gone_and_told_so(store: Store, until: Until) -> None:
    await store.leases.attend("can", TG, 0.05)

    async def alone() -> bool:
        return (await store.leases.attend("ada", TG, 60)).workers == {"ada": TG}

    await until(alone)
    assert not (await store.leases.attend("can", TG, 60)).unbroken


async def test_whoever_was_noted_by_a_clock_that_was_ahead_is_gone_as_soon_as_others(
    store: Store, until: Until
) -> None:
    await store.leases.attend("can", TG, 3600)

    async def alone() -> bool:
        return (await store.leases.attend("ada", TG, 0.05)).workers == {"ada": TG}

    await until(alone)


async def test_work_has_one_holder_while_that_one_is_alive(store: Store) -> None:
    assert await store.leases.claim("ada", {7: CLOCK | TG}, BOTH) == {7: CLOCK | TG}
    assert await store.leases.claim("can", {7: CLOCK | {"dc"}, 8: CLOCK}, BOTH) == {7: {"dc"}, 8: CLOCK}
    assert await store.leases.claim("can", {7: CLOCK | {"dc"}}, CAN) == {7: {"clock", "dc"}}
    works = await store.timers.look([7], "ada", 0.0, 9)
    assert works[7].mine == TG, "a look tells what is left"


async def test_what_is_no_longer_wanted_is_free(store: Store) -> None:
    await store.leases.claim("ada", {7: CLOCK | TG}, BOTH)
    assert await store.leases.claim("ada", {7: TG}, BOTH) == {7: TG}
    assert await store.leases.claim("can", {7: CLOCK | TG}, BOTH) == {7: CLOCK}


@pytest.mark.parametrize(("wrong", "set_to"), [(0.0, 102.0), (3600.0, 101.1)])
def test_a_clock_is_set_only_if_it_cannot_be_right(
    wrong: float, set_to: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 100 it asks, and at 102 it is told that it was 100.1: somewhere between, if it is right."""
    server = Server(None)  # type: ignore[arg-type] - nothing is sent
    monkeypatch.setattr(time, "time", lambda: wrong + 102.0)
    server.set_clock(100.1, asked=wrong + 100.0)
    assert server.clock() == pytest.approx(set_to)
