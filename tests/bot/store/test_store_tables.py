"""A table's commits: all or nothing, once, and based on the newest version."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import redis

from bot.store import (
    KEEP,
    Committed,
    Conflict,
    Note,
    Repeated,
    Store,
    open_store,
    was_carried_out,
)
from tests.bot.store.deadlines import next_due
from tests.bot.store.waiting import dirty

EVERY_PARTITION = range(64)
Until = Callable[[Callable[[], Awaitable[bool]]], Awaitable[None]]


async def opened(store: Store, table: str = "T1", *, due: float | None = None) -> Committed:
    made = await store.documents.commit(
        table, expected=0, state=b"opened", action="open", entries=[b"o"], due=due
    )
    assert isinstance(made, Committed)
    return made


async def test_a_table_is_read_as_it_was_committed(store: Store) -> None:
    assert await store.documents.load("T1") is None
    state = bytes(range(256)) * 9
    made = await store.documents.commit(
        "T1", expected=0, state=state, action="a", entries=[b"\x00", b"two"], due=30
    )
    found = await store.documents.load("T1")

    assert isinstance(made, Committed)
    assert found is not None
    assert (made.version, found.version, found.state) == (1, 1, state)
    assert made.due == found.due == pytest.approx(made.now + 30, abs=0.002)
    assert made.now <= found.now < made.now + 5
    assert await store.documents.log("T1") == [b"\x00", b"two"]


async def test_a_state_is_not_shown_where_values_are_printed(store: Store) -> None:
    await store.documents.commit("T1", expected=0, state=b"R1 R2 R3", action=None)
    assert "R1" not in repr(await store.documents.load("T1"))


async def test_several_tables_are_read_in_their_order(store: Store) -> None:
    for table in ("A", "B"):
        await store.documents.commit(table, expected=0, state=table.encode(), action=None)
    found = await store.documents.load_many(["B", "none", "A"])
    assert [one and one.state for one in found] == [b"B", None, b"A"]
    assert await store.documents.load_many([]) == []


@pytest.mark.parametrize("expected", [0, 2, 7])
async def test_a_commit_on_another_version_changes_nothing(store: Store, expected: int) -> None:
    await opened(store, due=30)
    before = await store.documents.load("T1")
    refused = await store.documents.commit(
        "T1", expected=expected, state=b"other", action="b", entries=[b"x"], due=None
    )
    after = await store.documents.load("T1")

    assert refused == Conflict(1)
    assert before is not None
    assert after is not None
    assert (after.state, after.version, after.due) == (b"opened", 1, before.due)
    assert await store.documents.log("T1") == [b"o"]


async def test_a_commit_on_a_table_that_is_not_there_is_a_conflict(store: Store) -> None:
    assert await store.documents.commit("T1", expected=3, state=b"", action="a") == Conflict(0)
    assert await store.documents.load("T1") is None


async def test_of_twenty_commits_at_once_exactly_one_counts(
    store: Store, valkey_url: str, tmp_path: Path
) -> None:
    await opened(store)
    async with open_store(valkey_url, tmp_path) as other:
        outcomes = await asyncio.gather(
            *(
                (store, other)[n % 2].documents.commit(
                    "T1", expected=1, state=b"move %d" % n, action=f"press {n}", entries=[b"%d" % n]
                )
                for n in range(20)
            )
        )
    winners = [n for n, outcome in enumerate(outcomes) if isinstance(outcome, Committed)]
    found = await store.documents.load("T1")

    assert len(winners) == 1
    assert outcomes.count(Conflict(2)) == 19
    assert found is not None
    assert found.state == b"move %d" % winners[0]
    assert await store.documents.log("T1") == [b"o", b"%d" % winners[0]]


async def test_an_action_counts_once_however_often_it_comes(store: Store) -> None:
    await opened(store, due=30)
    await store.documents.commit("T1", expected=1, state=b"drawn", action="press 7", entries=[b"d"])
    before = await store.documents.load("T1")
    for expected in (1, 2):
        again = await store.documents.commit(
            "T1", expected=expected, state=b"drawn twice", action="press 7", entries=[b"d"], due=None
        )
        assert again == Repeated(2)
    after = await store.documents.load("T1")

    assert before is not None
    assert after is not None
    assert (after.state, after.version, after.due) == (b"drawn", 2, before.due)
    assert await store.documents.log("T1") == [b"o", b"d"]


async def test_it_can_be_asked_whether_an_action_was_carried_out(store: Store) -> None:
    await opened(store)
    await opened(store, "T2")
    for version in range(1, 4):
        await store.documents.commit("T1", expected=version, state=b"", action=f"press {version}")
    await store.documents.commit("T1", expected=1, state=b"", action="too late")
    one, other = await store.documents.load_many(["T1", "T2"])
    assert one is not None
    assert other is not None
    asked = ("open", "press 3", "too late")
    assert [was_carried_out(one.actions, action) for action in asked] == [True, True, False]
    assert not was_carried_out(other.actions, "press 3")


async def test_a_table_is_read_and_committed_together_with_what_is_shown_of_it(store: Store) -> None:
    made = await opened(store, due=30)
    stored = await store.documents.load("T1")
    assert stored is not None
    assert made.notes == stored.notes == {}
    await store.notes.set("T1", {"tg:1": Note("m 1", 1)})
    await store.notes.set("T1", {"tg:-1/7": Note("n", 2)})
    stored = await store.documents.load("T1")
    made = await store.documents.commit("T1", expected=1, state=b"", action=None, due=None)
    assert stored is not None
    assert isinstance(made, Committed)
    assert stored.notes == made.notes == await store.notes.load("T1")
    assert stored.notes == {"tg:1": Note("m 1", 1), "tg:-1/7": Note("n", 2)}


async def test_actions_belong_to_their_table(store: Store) -> None:
    await opened(store, "A")
    await opened(store, "B")
    for table in ("A", "B"):
        made = await store.documents.commit(table, expected=1, state=b"", action="press 7")
        assert isinstance(made, Committed)


async def test_the_last_32_actions_are_remembered_and_no_more(store: Store) -> None:
    """A platform delivers a press again seconds later, and people sort their racks meanwhile."""
    for n in range(33):
        await store.documents.commit("T1", expected=n, state=b"", action=f"press {n}")
    assert await store.documents.commit("T1", expected=33, state=b"", action="press 1") == Repeated(2)
    assert isinstance(await store.documents.commit("T1", expected=33, state=b"", action="press 0"), Committed)


async def test_commits_without_a_name_are_never_taken_for_one_another(store: Store) -> None:
    for n in range(3):
        assert isinstance(await store.documents.commit("T1", expected=n, state=b"", action=None), Committed)


async def test_a_deadline_is_kept_replaced_or_taken_away(store: Store) -> None:
    first = await opened(store, due=30)
    stored = await store.documents.commit("T1", expected=1, state=b"", action=None, due=KEEP)
    later = await store.documents.commit("T1", expected=2, state=b"", action=None, due=60.5)
    none = await store.documents.commit("T1", expected=3, state=b"", action=None, due=None)

    assert isinstance(stored, Committed)
    assert isinstance(later, Committed)
    assert isinstance(none, Committed)
    assert stored.due == first.due
    assert later.due == pytest.approx(later.now + 60.5, abs=0.002)
    assert none.due is None
    assert await next_due(store, EVERY_PARTITION) is None


async def test_the_log_keeps_every_entry_in_order(store: Store) -> None:
    await store.documents.commit("T1", expected=0, state=b"", action=None, entries=[b"a", b"b"])
    await store.documents.commit("T1", expected=1, state=b"", action=None, entries=[b"c"])
    assert await store.documents.log("T1") == [b"a", b"b", b"c"]
    assert await store.documents.log("none") == []


async def test_nothing_of_a_forgotten_table_remains(store: Store, valkey_url: str) -> None:
    await store.documents.commit("T1", expected=0, state=b"", action=None, due=30, ended=True, agenda=1.0)
    await store.notes.set("T1", {"tg:1": Note("m", 1)})
    await store.documents.forget("T1")
    await store.notes.set("T1", {"tg:1": Note("m", 2)})
    await store.timers.mark_dirty("T1")
    with redis.Redis.from_url(valkey_url) as raw:
        assert {key.partition(b"}")[2] for key in raw.scan_iter()} <= {b"alive"}


async def test_an_older_screen_that_arrives_late_in_another_message_is_brought_up_to_date(
    store: Store,
) -> None:
    await store.documents.commit("T1", expected=0, state=b"s", action=None, dirty=False)
    await store.notes.set("T1", {"tg:1": Note("rack", 5)})
    await store.notes.set("T1", {"tg:1": Note("rack", 4)})
    await store.notes.set("T1", {"tg:1": Note("new", 5)})
    assert await dirty(store) == []
    await store.notes.set("T1", {"tg:1": Note("late", 4)})
    assert [table for table, _ in await dirty(store)] == ["T1"]
    assert await store.notes.load("T1") == {"tg:1": Note("late", 4)}


async def test_an_older_screen_whose_edit_arrives_late_is_brought_up_to_date(store: Store) -> None:
    """One process edited the message after another, and nobody knows whose screen people see now."""
    await store.documents.commit("T1", expected=0, state=b"s", action=None, dirty=False)
    await store.notes.set("T1", {"tg:1": Note("rack", 5)}, replaced="old")
    await store.notes.set("T1", {"tg:1": Note("rack", 4)}, replaced="old")
    assert [table for table, _ in await dirty(store)] == ["T1"]
    assert await store.notes.load("T1") == {"tg:1": Note("rack", 4)}


async def test_a_message_with_another_picture_is_the_same_message(store: Store) -> None:
    """Its whole reference stays when it is replaced: whoever closes it need not upload its picture again."""
    await store.documents.commit("T1", expected=0, state=b"s", action=None, dirty=False)
    for version, picture in enumerate(("a1 one", "b2 two", "b2 two"), 1):
        await store.notes.set("T1", {"tg:1": Note(f"rack {picture}", version)}, replaced="old")
    assert await dirty(store) == []
    await store.notes.set("T1", {"tg:1": Note("new b2 two", 4)}, replaced="old")
    assert await store.notes.load("T1") == {
        "tg:1": Note("new b2 two", 4),
        "old tg:1 rack b2 two": Note("", 3),
    }


async def test_what_is_noted_beside_an_older_screen_takes_nothing_newer_back(store: Store) -> None:
    """A late rack says that its person knows of their turn. They have been called again since."""
    await opened(store)
    await store.notes.set("T1", {"call 0": Note("hall second", 9)})
    late = {"tg:1": Note("rack", 4), "call 0": Note("hall first", 8)}
    await store.notes.set("T1", late, replaced="old")
    assert await store.notes.load("T1") == late | {"call 0": Note("hall second", 9)}


async def test_what_is_shown_never_goes_back_within_a_message(store: Store) -> None:
    await opened(store)
    await store.notes.set("T1", {"tg:-100/17": Note("4 711", 5)})
    await store.notes.set("T1", {"tg:-100/17": Note("4 711", 4)})
    await store.notes.set("T1", {"dc:9": Note("x" * 200, 3)})
    assert await store.notes.load("T1") == {
        "tg:-100/17": Note("4 711", 5),
        "dc:9": Note("x" * 200, 3),
    }

    await store.notes.set("T1", {"tg:-100/17": Note("4 711", 6)})
    await store.notes.set("T1", {"dc:9": Note("another", 2)})
    assert await store.notes.load("T1") == {
        "tg:-100/17": Note("4 711", 6),
        "dc:9": Note("another", 2),
    }

    await store.notes.drop("T1", "dc:9")
    assert await store.notes.load("T1") == {"tg:-100/17": Note("4 711", 6)}


async def test_what_is_noted_at_once_is_noted_in_one_step_with_what_it_replaces(store: Store) -> None:
    await opened(store)
    await store.notes.set("T1", {"tg:1": Note("first", 1), "asks 0": Note("-", 1)})
    both = {"tg:1": Note("second", 2), "asks 0": None}
    assert await store.notes.set("T1", both, replaced="old")
    assert await store.notes.load("T1") == {
        "tg:1": Note("second", 2),
        "old tg:1 first": Note("", 1),
    }


async def test_somebody_new_is_noted_only_at_the_version_that_was_read(store: Store) -> None:
    await opened(store)
    stored = await store.documents.load("T1")
    assert stored is not None
    new = {"tg:1": Note("rack", 1)}
    assert not await store.notes.set("T1", new, at=stored.version - 1)
    assert await store.notes.load("T1") == {}
    assert await store.notes.set("T1", new, at=stored.version)
    assert await store.notes.set("T1", {"tg:1": Note("rack", 2)}, at=stored.version - 1)
    assert await store.notes.load("T1") == {"tg:1": Note("rack", 2)}
    assert await store.notes.set("T2", new, at=1), "a table that is gone"


async def test_only_one_of_those_who_saw_the_same_note_changes_it(store: Store) -> None:
    await opened(store)
    both, told = ["closed 0 tg:1", "closed 1 tg:2"], Note("", 0)
    calls = (store.notes.swap("T1", both, None, told) for _ in range(10))
    assert sorted(await asyncio.gather(*calls)) == [False] * 9 + [True]
    assert await store.notes.load("T1") == dict.fromkeys(both, told)
    assert not await store.notes.swap("T1", ["call 0", *both], None, told), "all or nothing"
    assert await store.notes.swap("T1", both, told, Note("17 line", 3))
    assert await store.notes.load("T1") == dict.fromkeys(both, Note("17 line", 3))
    assert not await store.notes.swap("T2", both, None, told), "a table that is gone"


async def test_a_table_in_the_middle_of_a_match_takes_at_most_five_kilobytes(
    store: Store, valkey_url: str
) -> None:
    """A state of 2.5 kB, 40 log entries, five screens: the share of the common sets is counted in."""
    for table in ("A", "B", "C", "D"):
        for n in range(40):
            await store.documents.commit(
                table, expected=n, state=b"s" * 2500, action=f"tg:918273645{n}", entries=[b"e" * 24], due=30
            )
        for n in range(5):
            await store.notes.set(table, {f"tg:81726{n}": Note(f"8172{n}/4455", 40)})
    with redis.Redis.from_url(valkey_url) as raw:
        total = sum(raw.memory_usage(key, samples=0) or 0 for key in raw.scan_iter())
    assert total / 4 <= 5000
