"""What delivery shows in a place: a table, edited, posted anew, and what Discord refuses."""

import pytest
from msgspec import structs

from bot.markup import Button, Link, Name, Strong
from bot.ports import Answer, Person, PlaceRefused, RetryAfter
from tests.adapters.discord_chat.scene import JOIN, MY_RACK, Scene, playing, rack_screen, table_screen
from tests.adapters.scripted import without_picture


async def test_a_table_is_posted_with_its_picture_in_words_too(okey: Scene) -> None:
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)

    seen = await okey.last(okey.can)
    assert seen.text == "A table"
    assert [button.label for button in seen.buttons] == ["Join", "My rack"]
    assert [picture.alt for picture in seen.pictures] == ["A table: red 4 is the indicator."]
    assert (await okey.discord.picture(seen.pictures[0])).startswith(b"\x89PNG")


async def test_what_stands_below_a_table_is_counted_by_the_last_messages_of_the_channel(okey: Scene) -> None:
    message = await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    assert okey.chat.count_below(okey.place, message) == 0
    okey.router.answers["/help"] = Answer(notice=("Help",))
    for number in range(3):
        await okey.chat.post_line(okey.place, (f"line {number}",))
        await okey.command(okey.can, "help")
    assert okey.chat.count_below(okey.place, message) == 3


async def test_buttons_that_cannot_be_taken_close_no_place(okey: Scene) -> None:
    """A message of components can't lose its buttons unless the bot may read it, which play does not need."""
    message = await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    await okey.discord.deny(okey.channel, "read_message_history")
    await okey.chat.take_buttons(okey.place, message)
    again = await okey.chat.show_table(okey.place, table_screen(version=2), message, anew=False)
    assert again == message


async def test_the_reference_leads_back_to_the_message(there: Scene) -> None:
    message = await there.chat.show_table(there.place, table_screen(), None, anew=False)

    seen = await there.last(there.can)
    address = f"https://discord.com/channels/{there.guild}/{there.channel}/{seen.id}"
    assert there.chat.places.message_link(there.place, message) == address


@pytest.mark.parametrize("permission", ["view_channel", "send_messages", "attach_files"])
async def test_a_channel_where_the_bot_may_not_write_is_gone(okey: Scene, permission: str) -> None:
    await okey.discord.deny(okey.channel, permission)
    with pytest.raises(PlaceRefused):
        await okey.chat.show_table(okey.place, table_screen(), None, anew=False)


async def test_a_deleted_channel_is_gone(okey: Scene) -> None:
    message = await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    await okey.discord.delete_channel(okey.channel)
    with pytest.raises(PlaceRefused):
        await okey.chat.show_table(okey.place, table_screen(version=2), message, anew=False)


async def test_no_name_becomes_markup_or_a_mention(okey: Scene) -> None:
    hostile = "**@everyone** <@1> [a](http://x.yz) `# > \u202e"

    await okey.chat.post_line(okey.place, (Strong("Hi"), " ", Name(hostile), " won"))

    seen = await okey.last(okey.can)
    name = r"\*\*\@everyone\*\* \<\@1\> \[a\]\(http\:\/\/x\.yz\) \`\# \>  "
    assert seen.text == f"**Hi** \u2068{name}\u2069 won"
    sent = seen.raw
    assert (sent["mentions"], sent["mention_everyone"]) == ([], False)


async def test_a_link_shows_its_words(okey: Scene) -> None:
    await okey.chat.post_line(okey.place, (Link("the table", "https://discord.com/channels/1/2/3"),))
    assert (await okey.last(okey.can)).text == "[the table](<https://discord.com/channels/1/2/3>)"


async def test_a_table_that_nobody_noted_as_shown_is_shown_in_the_same_message(okey: Scene) -> None:
    first = await okey.chat.show_table(okey.place, table_screen(version=1), None, anew=True)
    newer = table_screen(version=2, text=("A newer table",))
    assert await okey.chat.show_table(okey.place, newer, None, anew=True) == first
    assert [seen.text for seen in await okey.discord.sees(okey.can, okey.channel)] == ["A newer table"]


async def test_a_process_that_follows_a_killed_one_shows_nothing_twice(okey: Scene) -> None:
    first = await okey.chat.show_table(okey.place, table_screen(version=1), None, anew=True)
    newest = table_screen(version=3, text=("The newest table",))
    async with playing(okey.discord, okey.router, okey.delivery) as following:
        assert await following.show_table(okey.place, newest, None, anew=True) == first
        seen = await okey.discord.sees(okey.can, okey.channel)
        assert [each.text for each in seen] == ["The newest table"]
        assert await following.show_table(okey.place, newest, first, anew=True) != first


async def test_a_post_whose_answer_was_lost_is_not_made_twice(okey: Scene) -> None:
    await okey.discord.lose(1, method="POST", path="/messages")
    message = await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    (seen,) = await okey.discord.sees(okey.can, okey.channel)
    assert without_picture(message) == f"{okey.channel}/{seen.id}/v2"


async def test_lasting_trouble_is_left_for_later(okey: Scene) -> None:
    await okey.discord.fail(3, 502, method="POST", path="/messages")
    with pytest.raises(RetryAfter):
        await okey.chat.show_table(okey.place, table_screen(), None, anew=False)


async def test_a_long_429_is_not_slept_through(okey: Scene) -> None:
    await okey.discord.fail(1, 429, method="POST", path="/messages", retry_after=17)
    with pytest.raises(RetryAfter) as later:
        await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    assert 10 < later.value.seconds <= 18
    assert await okey.calls("POST", "/messages") == 1


async def test_an_old_message_that_takes_no_more_edits_is_followed_by_a_new_one(okey: Scene) -> None:
    message = await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    newer = table_screen(version=2, text=("Ada discarded",))
    await okey.discord.fail(1, 429, method="PATCH", path="/messages", retry_after=60, code=30046)

    again = await okey.chat.show_table(okey.place, newer, message, anew=False)

    assert again != message
    assert (await okey.last(okey.can)).text == "Ada discarded"
    assert await okey.calls("PATCH", "/messages") == 1


async def test_who_hangs_is_left_for_later(okey: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.discord_chat.retry.LONGEST_CALL", 0.3)
    await okey.discord.hang(1, 5, method="POST", path="/messages")
    with pytest.raises(RetryAfter):
        await okey.chat.show_table(okey.place, table_screen(), None, anew=False)


async def test_a_message_grows_beyond_25_buttons(okey: Scene) -> None:
    ada = okey.key(okey.ada)
    message = await okey.chat.show_rack(ada, rack_screen(), None, notify=True)
    buttons = tuple(Button((f"{n}",), f"discard.t1.{n}") for n in range(30))

    grown = await okey.chat.show_rack(ada, rack_screen(version=2, buttons=(buttons,)), message, notify=False)

    seen = await okey.last_direct(okey.ada)
    assert without_picture(grown) == f"{without_picture(message)}/v2"
    assert (len(seen.buttons), seen.text, len(seen.pictures)) == (30, "Your rack", 1)


async def test_an_ordinary_message_becomes_a_table(okey: Scene) -> None:
    """Tables of older versions are ordinary messages."""
    ordinary = await okey.chat.post_line(okey.place, ("A table",))
    shown = await okey.chat.show_table(okey.place, table_screen(), ordinary, anew=False)
    assert without_picture(shown) == f"{ordinary}/v2"
    assert len((await okey.last(okey.can)).buttons) == 2


async def test_a_table_is_a_container_with_its_first_button_beside_the_headline(okey: Scene) -> None:
    rack = structs.replace(MY_RACK, style="primary")
    screen = table_screen(text=("Table 2\nTurn: ", Strong("Ada")), buttons=((rack,), (JOIN,)))
    await okey.chat.show_table(okey.place, screen, None, anew=False)
    (container,) = (await okey.last(okey.can)).raw["components"]
    section, gallery, words, row = container["components"]
    assert container["type"] == 17
    assert section["components"][0]["content"] == "Table 2"
    assert section["accessory"]["custom_id"] == MY_RACK.press
    assert gallery["items"][0]["description"] == "A table: red 4 is the indicator."
    assert words["content"] == "Turn: **Ada**"
    assert [button["custom_id"] for button in row["components"]] == [JOIN.press]


async def test_a_call_that_is_made_again_is_the_same_line(okey: Scene) -> None:
    """Discord may have carried it out though its answer never came."""
    who = [Person(okey.key(okey.can), "Can")]
    lines = [
        await okey.chat.post_line(okey.place, ("it is your turn",), calls=who, once=once)
        for once in ("t1 call 0 1024", "t1 call 0 1024", "t1 call 0 1025", "", "")
    ]
    assert lines[0] == lines[1]
    assert len(set(lines)) == 4
    assert len(await okey.discord.sees(okey.can, okey.channel)) == 4


async def test_a_line_mentions_whom_it_calls_and_is_taken_back(okey: Scene) -> None:
    who = [Person(okey.key(user), "somebody") for user in (okey.ada, okey.can)]
    stranger = await okey.discord.user("Ece", guild=okey.guild)
    line = await okey.chat.post_line(
        okey.place, ("it is your turn, ", Name(f"<@{stranger}>"), "!" * 2000), calls=who
    )
    (seen,) = await okey.discord.sees(okey.can, okey.channel)
    assert seen.text.startswith(f"<@{okey.ada}> <@{okey.can}>: it is your turn")
    assert [user["id"] for user in seen.raw["mentions"]] == [str(okey.ada), str(okey.can)]
    await okey.chat.delete_line(okey.place, line)
    assert await okey.discord.sees(okey.can, okey.channel) == []
    await okey.chat.delete_line(okey.place, line)
