"""What people read: each alone, pages that turn in place, and files."""

from bot.markup import Attachment, Button, Page, RulesPicture, TileFace
from bot.ports import Answer
from tests.adapters.discord_chat.scene import TABLE_PICTURE, Scene, table_screen
from tests.servers.discord_api.client import Seen, until

REPLAY = Button(("Replay",), "replay.t1.0.1")
PAIR = RulesPicture(examples=(("Pair", (TileFace("R1"), TileFace("R1"))),))


def page(number: int, *, turns: bool = True) -> Page:
    """A page with a picture and a way on."""
    return Page(
        text=(f"Step {number}",),
        picture=TABLE_PICTURE,
        alt=f"The table at step {number}",
        buttons=((Button(("Next",), f"replay_step.t1.0.1.{number + 1}"),),),
        turns=turns,
    )


async def read(okey: Scene, user: int, words: str) -> Seen:
    """The message in the channel that says this, as soon as they see it."""

    async def found() -> Seen | None:
        return next((m for m in await okey.discord.sees(user, okey.channel) if m.text == words), None)

    return await until(found)


async def test_pages_turn_in_place_while_the_table_stays(okey: Scene) -> None:
    await okey.chat.show_table(okey.place, table_screen(buttons=((REPLAY,),)), None, anew=False)
    okey.router.answers[REPLAY.press] = Answer(page=page(0, turns=False))
    for number in (1, 2):
        okey.router.answers[f"replay_step.t1.0.1.{number}"] = Answer(page=page(number))
    await okey.press(okey.can, await okey.last(okey.can), "Replay")
    first = await read(okey, okey.can, "Step 0")
    await okey.press(okey.can, first, "Next")
    second = await read(okey, okey.can, "Step 1")
    await okey.press(okey.can, second, "Next")
    third = await read(okey, okey.can, "Step 2")
    assert first.id == second.id == third.id
    assert [picture.alt for picture in third.pictures] == ["The table at step 2"]
    assert {press.surface for press in okey.router.pressed} == {"public"}
    assert [seen.text for seen in await okey.discord.sees(okey.ada, okey.channel)] == ["A table"]


async def test_a_file_comes_as_it_is(okey: Scene) -> None:
    file = Attachment("okey-abc.json", b'{"format": "okey-record/1"}\n')
    okey.router.answers["/record"] = Answer(page=Page(text=("One round.",), file=file))
    await okey.command(okey.ada, "record")
    (attached,) = (await read(okey, okey.ada, "One round.")).pictures
    assert attached.filename == file.name
    assert await okey.discord.picture(attached) == file.content
