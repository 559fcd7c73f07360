"""Names of commands: what each verb is called in each language, and how a typed command is read.

`verb.<verb>` of the catalogues is its name, `command.<verb>` says what it does; for a word behind `league`
these are `league.word.<word>` and `league.word.<word>.about`. Names that it had before follow after `|`. A
command is understood in every language, with or without its marks, with blanks or `_` between its words.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, Words, folded, keys, words_for

_NAME: Final = "verb."
"""How the keys of names begin in the catalogues."""

_WORDS_MOST: Final = 3
"""No command's name has more words."""


def name_of(verb: str, words: Words) -> str:
    """What a command is called: in small letters."""
    return _names(verb, words)[0]


def word_of(word: str, words: Words) -> str:
    """What a word behind `league` is called."""
    return words.plain(f"league.word.{word}").split("|")[0]


def about(name: str, words: Words) -> str:
    """What a command does, in a few words."""
    verb, _, word = name.partition(" ")
    return words.plain(f"league.word.{word}.about" if word else f"command.{verb}")


def latin_name_of(verb: str, words: Words) -> str:
    """What a command is called where there are but small Latin letters, digits and `_`: its verb in a
    language of other letters."""
    name = bare(name_of(verb, words)).replace(" ", "_")
    return name if name.isascii() else verb


def read_command(text: str) -> tuple[str, str] | None:
    """The verb of the command with which a text begins, in whichever language, and the rest of the text;
    None when it begins with none."""
    for count in range(_WORDS_MOST, 0, -1):
        pieces = text.split(maxsplit=count)
        verb = _verbs().get(bare(" ".join(pieces[:count])))
        if verb is not None:
            return verb, "".join(pieces[count:])
    return None


@cache
def _verbs() -> Mapping[str, str]:
    """The verbs by their bare names in every language."""
    verbs = [key.removeprefix(_NAME) for key in keys(DEFAULT_LANGUAGE) if key.startswith(_NAME)]
    named = {
        bare(name): verb
        for verb in sorted(verbs)
        for language in LANGUAGES
        for name in _names(verb, words_for(language))
    }
    return named | {verb: verb for verb in verbs}


def _names(verb: str, words: Words) -> list[str]:
    return words.plain(f"verb.{verb}").split("|")


def bare(name: str) -> str:
    """In small letters without marks; letters of other alphabets stay what they are."""
    letters = unicodedata.normalize("NFKD", folded(name).replace("_", " "))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
