"""Names of commands: each verb's names in each language, and how a typed command is read.

`verb.<verb>` of the catalogues is its name, `command.<verb>` describes it; for a word behind `league` these
are `league.word.<word>` and `league.word.<word>.about`. Former names follow after `|`. A command is
understood in every language, with or without diacritics, with blanks or `_` between its words.
"""

import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Final

from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, Words, fold, keys, words_for

_NAME: Final = "verb."
"""The prefix of the names' keys in the catalogues."""

_LIKENESS: Final = 0.75
"""How like a name a typed word must be to be taken for it, from 0 to 1: a letter or two are wrong."""

_WORDS_MOST: Final = 4
"""The most words of a command's name."""


def name_of(verb: str, words: Words) -> str:
    """Return a command's name in small letters."""
    return _names(verb, words)[0]


def word_of(word: str, words: Words) -> str:
    """Return the name of a word behind `league`."""
    return words.plain(f"league.word.{word}").split("|")[0]


def about(name: str, words: Words) -> str:
    """Return a command's short description. It may name all `{languages}` by their tags."""
    verb, _, word = name.partition(" ")
    if word:
        return words.plain(f"league.word.{word}.about")
    return words.plain(f"command.{verb}", languages=", ".join(LANGUAGES))


def latin_name_of(verb: str, words: Words) -> str:
    """Return a command's name for platforms that take only small Latin letters, digits and `_`: the verb
    itself in a language of other letters."""
    name = bare(name_of(verb, words)).replace(" ", "_")
    return name if name.isascii() else verb


def read_command(text: str) -> tuple[str, str] | None:
    """Return the verb of the command that begins a text, in any language, and the rest of the text; None when
    it begins with none."""
    for count in range(_WORDS_MOST, 0, -1):
        pieces = text.split(maxsplit=count)
        verb = _verbs().get(bare(" ".join(pieces[:count])))
        if verb is not None:
            return verb, "".join(pieces[count:])
    return None


def likely_command(typed: str) -> str | None:
    """Return the verb of the command whose name in any language is most like a typed word; None: like no
    name."""
    likely = get_close_matches(bare(typed[:32]), _verbs(), n=1, cutoff=_LIKENESS)
    return _verbs()[likely[0]] if likely else None


def is_button(typed: str) -> bool:
    """Return whether a typed word names what a button does in any language, such as “leave”."""
    return bare(typed) in _button_words()


@cache
def _button_words() -> frozenset[str]:
    said = [words_for(language).plain("typed.buttons") for language in LANGUAGES]
    return frozenset(bare(word) for each in said for word in each.split("|"))


@cache
def _verbs() -> Mapping[str, str]:
    """Return the verbs by their names in every language, as by `bare`."""
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
    """Return a name in small letters without diacritics and the mark at its end. Letters of other alphabets
    are unchanged."""
    letters = unicodedata.normalize("NFKD", fold(name).replace("_", " ").rstrip("?!. "))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
