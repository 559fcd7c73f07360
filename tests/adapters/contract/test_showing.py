"""What every chat promises to delivery by the members of `bot.ports.Chat` alone. What a capability adds
stands in a file of its own."""

from dataclasses import replace
from itertools import groupby

import pytest

import bot.handlers.router  # noqa: F401 - declares the commands
from bot.markup import Button, Name, Page, Typed
from bot.ports import Person, PrivateClosed
from tests.adapters.contract.stage import Stage, rack_screen, table_screen

LETTER = Page(text=("The night begins in an hour.",), buttons=((Button(("No more",), "mute.l1.0"),),))


async def test_a_table_is_one_message_that_is_edited(stage: Stage) -> None:
    first = await stage.chat.show_table(stage.place, table_screen(), None, anew=False)
    (posted,) = await stage.read()
    assert (posted.words, posted.labels, posted.picture) == ("The table", ("Join", "My rack"), True)
    newer = table_screen(2, words="Can drew", buttons=())
    assert await stage.chat.show_table(stage.place, newer, first, anew=False) == first
    (edited,) = await stage.read()
    assert (edited.id, edited.words, edited.labels, edited.picture) == (posted.id, "Can drew", (), True)


async def test_a_table_that_is_shown_anew_is_the_last_that_people_read(stage: Stage) -> None:
    first = await stage.chat.show_table(stage.place, table_screen(), None, anew=False)
    newer = table_screen(2, words="Can drew")
    await stage.chat.show_table(stage.place, newer, first, anew=True)
    (*_, last) = await stage.read()
    assert (last.words, last.labels, last.picture) == ("Can drew", ("Join", "My rack"), True)


async def test_two_tables_are_two_messages(stage: Stage) -> None:
    one = await stage.chat.show_table(stage.place, table_screen(words="One"), None, anew=False)
    other = replace(table_screen(words="Other"), table="t2")
    two = await stage.chat.show_table(stage.place, other, None, anew=False)
    assert [each.words for each in await stage.read()] == ["One", "Other"]
    assert one.split()[0] != two.split()[0], "the first word tells a message from others"
    assert max(len(each.encode()) for each in (one, two)) <= 200


async def test_an_older_table_never_covers_a_newer_one(stage: Stage) -> None:
    table = await stage.chat.show_table(stage.place, table_screen(2, words="Newer"), None, anew=False)
    await stage.chat.show_table(stage.place, table_screen(1, words="Older"), table, anew=False)
    assert [each.words for each in await stage.read()] == ["Newer"]


async def test_thirty_buttons_are_shown(stage: Stage) -> None:
    buttons = (tuple(Button((f"{number}",), f"discard.t1.5.{number}") for number in range(30)),)
    message = await stage.chat.show_table(stage.place, table_screen(buttons=buttons), None, anew=False)
    (seen,) = await stage.read()
    assert seen.labels == tuple(map(str, range(30)))
    await stage.chat.show_table(stage.place, table_screen(2), message, anew=False)
    (seen,) = await stage.read()
    assert (seen.labels, seen.picture) == (("Join", "My rack"), True)


async def test_a_line_begins_with_the_names_of_those_whom_it_calls(stage: Stage) -> None:
    who = [Person(stage.ada, "Ada <b>"), Person(stage.can, "Can")]
    line = await stage.chat.post_line(stage.place, ("it is your turn",), calls=who)
    (seen,) = await stage.read()
    assert seen.words.endswith(": it is your turn")
    assert seen.calls == {stage.ada, stage.can}
    for _ in range(2):
        await stage.chat.delete_line(stage.place, line)


async def test_a_name_calls_nobody_and_is_no_markup(stage: Stage) -> None:
    number = stage.can.rpartition(":")[2]
    name = Name(f"**@everyone** <@{number}> </b><a href='tg://user?id={number}'>x</a>")
    await stage.chat.post_line(stage.place, (name, " won"))
    (seen,) = await stage.read()
    assert seen.calls == frozenset()
    assert "everyone" in seen.words
    assert seen.words.endswith(" won")


async def test_the_newest_rack_is_the_last_that_its_person_reads(stage: Stage) -> None:
    message = None
    for version, notify in enumerate((True, False, True), 1):
        screen = rack_screen(version, text=(f"Rack {version}",))
        message = await stage.chat.show_rack(stage.can, screen, message, notify=notify)
        (*_, last) = await stage.read_private(stage.can)
        assert last.words == f"Rack {version}"
    assert await stage.read() == []
    assert await stage.read_private(stage.ada) == []


async def test_a_letter_is_read_by_its_person_alone(stage: Stage) -> None:
    await stage.chat.send_direct(stage.can, LETTER, "n1 hour")
    (seen,) = await stage.read_private(stage.can)
    assert (seen.words, seen.labels) == ("The night begins in an hour.", ("No more",))
    assert await stage.read() == []
    assert await stage.read_private(stage.ada) == []


async def test_no_letter_reaches_who_is_closed_and_none_goes_to_the_place(stage: Stage) -> None:
    await stage.close_private(stage.can)
    for _ in range(2):
        with pytest.raises(PrivateClosed):
            await stage.chat.send_direct(stage.can, LETTER, "n1 hour")
    assert await stage.read() == []
    assert await stage.read_private(stage.can) == []


async def test_a_rack_for_who_is_closed_is_refused_or_waits_for_them(stage: Stage) -> None:
    await stage.close_private(stage.can)
    expected = ["Your rack"]
    try:
        await stage.chat.show_rack(stage.can, rack_screen(), None, notify=True)
    except PrivateClosed:
        expected = []
    assert await stage.read() == []
    assert await stage.read_private(stage.can) == []
    await stage.open_private(stage.can)
    assert [each.words for each in await stage.read_private(stage.can)] == expected


async def test_keys_begin_with_the_chat_s_name(stage: Stage) -> None:
    places, prefix = stage.chat.places, f"{stage.chat.name}:"
    assert (await places.community(stage.place)).startswith(prefix)
    assert all(each.startswith(prefix) for each in (stage.place, stage.ada, stage.can))


async def test_nobody_organises_or_is_known_to_read_what_is_no_place(stage: Stage) -> None:
    for place in ("", "elsewhere", f"{stage.chat.name}:", f"{stage.chat.name}:else:where"):
        assert not await stage.chat.places.organises(stage.ada, place)
        assert not await stage.chat.places.reads(stage.ada, place)


async def test_limits_of_one_scope_stand_side_by_side(stage: Stage) -> None:
    limits = stage.chat.limits
    for each in (limits.public(stage.place), limits.urgent(stage.place), limits.private(stage.ada)):
        scopes = [scope for scope, _ in groupby(limit.scope for limit in each)]
        assert len(scopes) == len(set(scopes))
        assert all(limit.calls > 0 < limit.seconds for limit in each)


async def test_a_link_that_opens_the_private_chat_brings_its_payload(stage: Stage) -> None:
    links = (stage.chat.links.start("join_ab12"), stage.chat.links.share("join_ab12", "Come & play"))
    assert all("join_ab12" in each for each in links if each is not None)


async def test_a_command_is_typed_with_its_name_and_argument(stage: Stage) -> None:
    typed = stage.chat.type_command(Typed("/okey join KM7", "join", (("code", "KM7"),), "en"))
    assert "join" in typed
    assert typed.endswith("KM7")
