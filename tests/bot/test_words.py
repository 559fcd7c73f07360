"""The catalogues: every message that the program says is there in every language, and no other."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations
from string import Formatter
from typing import get_args

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.i18n import LANGUAGES, own_name, words_for
from bot.tables.table import RecentKind
from engine.rules import PRESETS
from tests.codes import application_codes, engine_codes
from tests.sources import ROOT, nodes_in

LOCALE = ROOT / "bot" / "i18n" / "locale"
KEY = re.compile(r"[a-z_]+(\.[a-zA-Z0-9_-]+)+")
FILES = (
    ".html",
    ".css",
    ".js",
    ".po",
    ".png",
    ".json",
    ".lua",
    ".ttf",
    ".sock",
    ".conf",
    ".pid",
    ".log",
    ".woff2",
)
"""Ends of names that look like keys and are files."""

OF_101 = ".101"
"""Ends the key of what Okey 101 says in words of its own."""
OF_PLATFORM = re.compile(r"\.(dc|tg)\Z")
"""Ends the key of what is said in a platform's own words."""
TOLD_TOGETHER = {"drew_discarded", "took_discarded", "drew_finished", "took_finished"}
WAYS_TO_WIN = ("color", "joker", "pairs")


@cache
def catalogue(language: str) -> dict[str, Message]:
    """The messages of a language by key."""
    with (LOCALE / f"{language}.po").open("rb") as file:
        read: Catalog = read_po(file, locale=language)
    return {key_of(message): message for message in read if message.id}


def key_of(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def texts_of(message: Message) -> tuple[str, ...]:
    """All forms of a message."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def values_of(text: str) -> set[str]:
    """The values that a text asks for, and the commands that it names."""
    fields = [f"{field}:{spec}" for _, field, spec, _ in Formatter().parse(text) if field is not None]
    named = {field.rstrip(":") for field in fields if not field.startswith("/")}
    for field in fields:
        if field.startswith("/"):
            command, *arguments = field.rstrip(":").split("; ")
            named |= {
                command,
                *re.findall(r"\$(\w+)", field),
                *(each for each in arguments if "=" not in each),
            }
    return named


def code() -> Iterator[ast.AST]:
    """Everything that is written in the application and the chats."""
    return (node for _, node in nodes_in("bot", "adapters"))


def constants() -> set[str]:
    """Every string in the source that is not a part of one that is put together."""
    parts = {id(part) for node in code() if isinstance(node, ast.JoinedStr) for part in node.values}
    return {
        node.value
        for node in code()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
    }


def patterns() -> Iterator[re.Pattern[str]]:
    """Keys that are put together: `f"refused.{code}"`, `"outcome.win" + …`."""
    for node in code():
        if isinstance(node, ast.JoinedStr):
            parts = [_text(part) for part in node.values]
            if KEY.match(f"{parts[0]}x"):
                yield re.compile("".join(re.escape(part) or ".+" for part in parts) + r"\Z")
        elif isinstance(node, ast.BinOp) and KEY.match(_text(node.left)):
            yield re.compile(re.escape(_text(node.left)))


def put_together_on_the_page() -> Iterator[re.Pattern[str]]:
    """The same in the page's scripts: `sure.${why}`."""
    for text in on_the_page():
        for begins, ends in re.findall(r"`((?:live|refused|sure)\.[a-z_]*)\$\{[^}]+\}([a-z_]*)`", text):
            yield re.compile(rf"{re.escape(begins)}[a-z0-9_]+{ends}\Z")


def _text(node: ast.expr) -> str:
    """A constant's text; of anything else nothing."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def called(name: str, argument: int) -> set[str]:
    """The constants given as one of the arguments to a function or method of this name."""
    found = set()
    for node in code():
        if isinstance(node, ast.Call) and len(node.args) > argument:
            function = node.func
            its_name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            given, declares = node.args[argument], argument > 0 and isinstance(node.args[0], ast.Constant)
            if (
                its_name == name
                and not declares
                and isinstance(given, ast.Constant)
                and isinstance(given.value, str)
            ):
                found.add(given.value)
    return found


def labelled(name: str) -> set[str]:
    """What the buttons say that a function of this name makes: `says`, or else their verb."""
    found = set()
    for node in code():
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name and len(node.args) > 1:
            if _text(node.args[0]):  # the declaration of a button's handler
                continue
            says = [keyword.value for keyword in node.keywords if keyword.arg == "says"]
            found.add(_text((says or node.args[1:])[0]))
    return found - {""}


def on_the_page() -> Iterator[str]:
    """What the page's templates and scripts are."""
    web = ROOT / "adapters" / "web"
    check = ROOT / "bot" / "screens" / "check"
    for path in (*web.glob("templates/*.html"), *web.glob("static/*.js"), *check.glob("*.js")):
        yield path.read_text("utf-8")


def in_templates() -> set[str]:
    """The keys that the page's templates and scripts name."""
    named = r'say\("([a-z_.]+[a-z_])"|"((?:check|fair|live|page)\.[a-z_]+)"'
    return {"".join(found) for text in on_the_page() for found in re.findall(named, text)}


def family(prefix: str) -> set[str]:
    """What follows a prefix in the catalogue's keys."""
    return {key.removeprefix(prefix) for key in catalogue("en") if key.startswith(prefix)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_messages(language: str) -> None:
    assert catalogue("en").keys() - catalogue(language).keys() == set()
    assert catalogue(language).keys() - catalogue("en").keys() == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated_in_all_its_forms(language: str) -> None:
    empty = [key for key, message in catalogue(language).items() if not all(texts_of(message))]
    assert empty == []
    assert [key for key, message in catalogue(language).items() if message.fuzzy] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_stands_twice(language: str) -> None:
    lines = (LOCALE / f"{language}.po").read_text("utf-8").splitlines()
    keys = [line for line in lines if line.startswith("msgid ")]
    assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_asks_for_the_same_values(language: str) -> None:
    for key, message in catalogue(language).items():
        wanted = set().union(*map(values_of, texts_of(catalogue("en")[key])))
        for text in texts_of(message):
            # A form for one thing, or for any number of them, need not say how many there are.
            assert values_of(text) | {"n"} == wanted | {"n"}, key
            assert values_of(text) <= wanted, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_counts_in_one_language_counts_in_all(language: str) -> None:
    for key, message in catalogue(language).items():
        assert isinstance(message.id, str) == isinstance(catalogue("en")[key].id, str), key


def test_every_key_in_the_code_is_a_message() -> None:
    families = {key.split(".")[0] for key in catalogue("en")}
    named = {
        text
        for text in constants()
        if KEY.fullmatch(text) and text.split(".")[0] in families and not text.endswith(FILES)
    }
    said = {key for name in ("say", "plain") for key in called(name, 0) if "." in key} | in_templates()
    assert (named | said) - catalogue("en").keys() == set()
    assert "lobby.title" in named & said


def test_every_message_is_said_somewhere() -> None:
    written, made = constants() | in_templates(), (*patterns(), *put_together_on_the_page())

    def is_said(key: str) -> bool:
        key = OF_PLATFORM.sub("", key)
        return key in written or any(pattern.match(key) for pattern in made)

    assert [
        key for key in catalogue("en") if not is_said(key) and not is_said(key.removesuffix(OF_101))
    ] == []


def test_every_code_has_its_sentence_and_every_sentence_its_code() -> None:
    said_directly = {text.removeprefix("refused.") for text in constants() if text.startswith("refused.")}
    sentences = {OF_PLATFORM.sub("", code) for code in family("refused.")}
    assert sentences == engine_codes() | application_codes() | said_directly


def test_every_button_that_is_made_has_its_label() -> None:
    made = labelled("button") | labelled("own_button")
    assert made - family("button.") == set()
    unlabelled = {"discard", "finish", "lay", "number", "put_down", "react"}
    assert labelled("make_offer") - family("button.") == unlabelled, "Tiles and numbers are their own labels."
    assert {"draft", "rack", "replay_next", "guide_next"} <= made


def test_everything_that_happens_is_told() -> None:
    kinds = set(get_args(RecentKind)) - {"fined"}
    assert kinds | TOLD_TOGETHER <= family("recent.")


def test_every_way_to_win_is_told() -> None:
    every = chain.from_iterable(combinations(WAYS_TO_WIN, size) for size in range(4))
    ways = {"_".join(("win", *how)) for how in every}
    assert ways | {"exhausted", "cancelled"} <= family("outcome.")


def test_every_preset_has_a_name() -> None:
    assert family("preset.") == set(PRESETS)


def test_every_language_is_named_in_itself() -> None:
    named = {each: own_name(each) for each in LANGUAGES}
    known = {"tr": "Türkçe", "en": "English", "de": "Deutsch", "ko": "한국어"}
    assert {each: named[each] for each in known} == known
    assert len({*named.values(), *LANGUAGES}) == 2 * len(LANGUAGES), "each has one of its own"


def test_a_language_is_read_once_whatever_tags_ask_for_it() -> None:
    assert words_for("en-GB") is words_for("EN_us") is words_for("") is words_for("no-language-of-ours")
    assert words_for("de-AT") is words_for("de")
