"""What a beginner is told beside his rack."""

from bot.screens.model import Text
from bot.screens.parts import mark
from bot.tables.hints import Hint
from bot.words import Words
from engine.tiles import Tile


def hint_line(hint: Hint, okey: Tile, words: Words) -> Text:
    """The advice in a sentence, with its reason."""
    if hint.tile is None:
        return words.say("hint.draw_first", n=hint.missing)
    key = "take_to_finish" if hint.kind == "take" and not hint.missing else hint.kind
    return words.say(f"hint.{key}", tile=mark(hint.tile, okey), n=hint.missing)
