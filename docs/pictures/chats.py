"""Chats: the program's screens laid out as Telegram and Discord show them, and photographed by Chromium."""

import base64
import html
import io
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import discord
from PIL import Image
from playwright.sync_api import sync_playwright

from adapters.discord_chat.emojis import CODES, TileEmojis, name_emoji
from adapters.discord_chat.rendering import AnyScreen, Rendered
from adapters.telegram_chat.rendering import TEXT_LIMIT, as_html, keyboard
from bot import pictures
from bot.markup import PublicScreen, SeatScreen

SCALE: Final = 1.5
COLOURS: Final = 128
_HANGUL: Final = Path(pictures.__file__).parent / "fonts" / "OkeyHangul-ExtraBold.ttf"
BROWSERS: Final = ("chromium-headless-shell", "chromium", "google-chrome")
CHROMIUM: Final = next(filter(None, map(shutil.which, BROWSERS)), None)

APPS: Final = {
    "en": {
        "left": "in 43 seconds",
        "day": "Thursday, March 5, 2026 8:00 PM",
        "group": "Thursday evening",
        "members": "4 members",
        "used": "<b>Ada</b> used <b>/okey</b>",
        "menu": "Make a selection",
    },
    "tr": {
        "left": "43 saniye içinde",
        "day": "5 Mart 2026 Perşembe 20:00",
        "group": "Perşembe akşamı",
        "members": "4 üye",
        "used": "<b>Ada</b>, <b>/okey</b> komutunu kullandı",
        "menu": "Seçim yap",
    },
    "de": {
        "left": "in 43 Sekunden",
        "day": "Donnerstag, 5. März 2026 20:00",
        "group": "Donnerstagabend",
        "members": "4 Mitglieder",
        "used": "<b>Ada</b> hat <b>/okey</b> verwendet",
        "menu": "Triff eine Auswahl",
    },
    "ko": {
        "left": "43초 후",
        "day": "2026년 3월 5일 목요일 20:00",
        "group": "목요일 저녁",
        "members": "멤버 4명",
        "used": "<b>Ada</b>님이 <b>/okey</b>을(를) 사용했습니다",
        "menu": "선택하기",
    },
}
"""What the apps themselves say, `left` for a clock and `day` for a moment."""

_COMMON: Final = """
* { box-sizing: border-box; margin: 0 }
code { font-family: monospace, Hangul }
body { font: 15px/1.35 Inter, "DejaVu Sans", "Noto Color Emoji", Hangul, sans-serif; overflow-wrap: anywhere;
  width: max-content }
main { display: flex; gap: 14px; padding: 2px; align-items: stretch }
section { width: 420px; border-radius: 14px; overflow: hidden; display: flex; flex-direction: column }
header { display: flex; align-items: center; gap: 10px; padding: 10px 14px; font-weight: 600 }
header small { display: block; font-weight: 400; font-size: 13px; opacity: .65 }
.face { width: 38px; height: 38px; border-radius: 50%; flex: none; display: grid; place-items: center;
  color: #fff; font-weight: 600; overflow: hidden }
.face img { height: 30px }
img { display: block }
.row { display: flex; gap: 4px }
"""

TELEGRAM: Final = """
section { background: linear-gradient(160deg, #dbe8c8, #bcd8b4 60%, #a9cfb6) }
header { background: #fff; color: #111 }
.chat { padding: 10px; display: flex; flex-direction: column; gap: 8px }
.said { align-self: flex-end; background: #e6fdd0; border-radius: 14px 14px 4px 14px; padding: 6px 12px }
.message { width: 100% }
.bubble { background: #fff; border-radius: 14px 14px 14px 4px; overflow: hidden }
.bubble > img { width: 100% }
.caption { padding: 8px 12px; white-space: pre-line }
blockquote { border-left: 3px solid #3a95d5; background: #eaf4fb; border-radius: 4px; padding: 0 8px;
  margin-top: 4px; font-size: 14px; line-height: 20px; max-height: 60px; overflow: hidden }
.keys { display: flex; flex-direction: column; gap: 4px; margin-top: 4px }
.key { flex: 1; text-align: center; background: #7d9f83; color: #fff; border-radius: 8px; padding: 8px 2px;
  font-weight: 500; font-size: 14px; white-space: nowrap; min-width: 0; overflow: hidden;
  text-overflow: ellipsis }
.primary { background: #3a86c8 } .success { background: #3f9a57 } .danger { background: #c8504c }
"""

DISCORD: Final = """
body { color: #dbdee1 }
section { background: #313338; width: 470px }
header { border-bottom: 1px solid #26272b; color: #f2f3f5 }
.chat { padding: 12px 14px; display: flex; flex-direction: column; gap: 6px }
.used { font-size: 13px; color: #b5bac1; padding-left: 50px }
.used b { color: #dbdee1 }
.message { display: flex; gap: 12px }
.who { color: #f2f3f5; font-weight: 600 }
.app { background: #5865f2; color: #fff; font-size: 10px; border-radius: 4px; padding: 1px 5px;
  vertical-align: 2px }
.who small { color: #949ba4; font-weight: 400 }
.text { white-space: pre-line }
.text img, .key img { display: inline-block; height: 22px; vertical-align: -5px }
.time { background: #3f4147; border-radius: 3px; padding: 0 2px }
.message > div:last-child { flex: 1; display: flex; flex-direction: column; gap: 5px; min-width: 0 }
.picture { width: 100%; border-radius: 8px }
.container { background: #393a41; border-left: 4px solid #1f7a4d; border-radius: 8px; padding: 10px 12px;
  display: flex; flex-direction: column; gap: 7px }
.beside { display: flex; gap: 10px; justify-content: space-between; align-items: flex-start }
.beside > .key { flex: none }
.row { flex-wrap: wrap; gap: 6px }
.key { background: #4e5058; color: #fff; border-radius: 8px; padding: 7px 12px; font-weight: 500;
  font-size: 14px; white-space: nowrap; min-width: 56px; text-align: center }
.primary { background: #5865f2 } .success { background: #248046 } .danger { background: #da373c }
.menu { background: #1e1f22; color: #949ba4; border-radius: 8px; padding: 8px 12px; width: 100% }
.only { color: #949ba4; font-size: 12px }
.only i { color: #00a8fc; font-style: normal }
"""


def telegram(group: PublicScreen, private: SeatScreen, language: str) -> str:
    """A page of a group with its table, and Ada's private chat with her rack."""
    app = APPS[language]
    okey = _face("#3a95d5")
    evening = _face("#d97b4a", app["group"][0])
    chats = (
        section(evening, app["group"], app["members"], _said("/okey") + in_telegram(group, language)),
        section(okey, "Okey", "bot", in_telegram(private, language)),
    )
    return page(TELEGRAM, chats)


def discord_channel(channel: PublicScreen, private: SeatScreen, language: str) -> str:
    """A page of a channel with its table, and Ada's direct messages with her rack."""
    used = f'<div class="used">{APPS[language]["used"]}</div>'
    chats = (
        section("", "# okey", "", used + in_discord(channel, language)),
        section("", "@ Okey", "", in_discord(private, language)),
    )
    return page(DISCORD, chats)


def in_telegram(screen: AnyScreen, language: str) -> str:
    """A message as Telegram shows it."""
    drawn = _drawn(screen)
    said = as_html(screen.text, TEXT_LIMIT)
    said = re.sub(r'<tg-time[^>]*format="r"[^>]*>[^<]*</tg-time>', APPS[language]["left"], said)
    said = re.sub(r"<tg-time[^>]*>[^<]*</tg-time>", APPS[language]["day"], said)
    markup = keyboard(screen.buttons)
    rows = [] if markup is None else markup.inline_keyboard
    keys = "".join(make_row(make_key(button.text, button.style or "") for button in row) for row in rows)
    return make_bubble(f'<img src="{data_url(drawn)}">' if drawn else "", said, keys)


def in_discord(screen: AnyScreen, language: str) -> str:
    """A message as Discord shows it."""
    app, drawn = APPS[language], _drawn(screen)
    emojis = TileEmojis()
    emojis._emojis = {
        code: discord.PartialEmoji(name=name_emoji(code), id=number) for number, code in enumerate(CODES, 1)
    }
    sent: dict[str, Any] = Rendered(screen, drawn, emojis).as_new()
    picture = f'<img class="picture" src="{data_url(drawn)}">' if drawn else ""
    view = sent.get("view")
    if "content" in sent:
        rows: dict[int | None, list[str]] = {}
        for part in () if view is None else view.children:
            rows.setdefault(part.row, []).append(_discord_key(part))
        shown = make_discord_text(sent["content"], app) + picture + "".join(map(make_row, rows.values()))
    else:
        shown = "".join(_discord_part(part, picture, app) for part in view.children)
    return (
        f'<div class="message">{_face("#5865f2")}<div><div class="who">Okey <span class="app">APP</span> '
        f"<small>20:04</small></div>{shown}</div></div>"
    )


def _discord_part(part: Any, picture: str, app: Mapping[str, str]) -> str:
    """A component of a message that is made of components only."""
    match part:
        case discord.ui.Container() | discord.ui.Section():
            inside = "".join(_discord_part(each, picture, app) for each in part.children)
            if isinstance(part, discord.ui.Container):
                return f'<div class="container">{inside}</div>'
            return f'<div class="beside"><div>{inside}</div>{_discord_key(part.accessory)}</div>'
        case discord.ui.TextDisplay():
            return make_discord_text(part.content, app)
        case discord.ui.MediaGallery():
            return picture
        case discord.ui.ActionRow():
            return make_row(_discord_part(each, picture, app) for each in part.children)
        case discord.ui.Select():
            return f'<div class="menu">{app["menu"]} ⌄</div>'
    return _discord_key(part)


def make_discord_text(said: str, app: Mapping[str, str]) -> str:
    """Return a text of Discord as HTML."""
    return f'<div class="text">{_markdown(said, app)}</div>'


def _discord_key(button: discord.ui.Button[Any]) -> str:
    emoji = f"<img src='{emoji_url(button.emoji.name)}'> " if button.emoji else ""
    return f'<div class="key {button.style.name}">{emoji}{html.escape(button.label or "")}</div>'


def _markdown(said: str, app: Mapping[str, str]) -> str:
    """The little of Discord's markup that screens use."""
    said = re.sub(r"<t:\d+:(\w)>", "\0\\1", html.unescape(said))
    said = re.sub(r"<:(\w+):\d+>", lambda found: f"\1{found[1]}\2", said)
    said = html.escape(said, quote=False)
    said = re.sub(r"\[(.+?)\]\(&lt;\S+?&gt;\)", r"<u>\1</u>", said)
    said = re.sub(r"(?<!\\)\*\*(.+?)\*\*", r"<b>\1</b>", said)
    said = re.sub(r"(?<!\\)`(.+?)`", r"<code>\1</code>", said)
    said = re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", said)
    said = re.sub("\1(\\w+)\2", lambda found: f"<img src='{emoji_url(found[1])}'>", said)
    for kind, shown in (("R", app["left"]), ("F", app["day"])):
        said = said.replace(f"\0{kind}", f'<span class="time">{shown}</span>')
    return said


def _said(text: str) -> str:
    return f'<div class="said">{text}</div>'


def section(face: str, title: str, below: str, chat: str) -> str:
    """A chat under its head."""
    small = f"<small>{below}</small>" if below else ""
    return (
        f'<section><header>{face}<div>{title}{small}</div></header><div class="chat">{chat}</div></section>'
    )


def _face(colour: str, letters: str = "") -> str:
    inside = letters or f'<img src="{emoji_url(name_emoji("R13"))}">'
    return f'<div class="face" style="background: {colour}">{inside}</div>'


def make_bubble(picture: str, said: str, keys: str) -> str:
    """Return a message of Telegram with its keys as HTML."""
    return (
        f'<div class="message"><div class="bubble">{picture}<div class="caption">{said}</div></div>'
        f'<div class="keys">{keys}</div></div>'
    )


def make_row(keys: Iterable[str]) -> str:
    """Return a row of keys as HTML."""
    return f'<div class="row">{"".join(keys)}</div>'


def make_key(text: str, style: str) -> str:
    """Return a key as HTML."""
    return f'<div class="key {style}">{html.escape(text)}</div>'


def _drawn(screen: AnyScreen) -> bytes | None:
    return None if screen.picture is None else pictures.draw(screen.picture)


def emoji_url(name: str) -> str:
    """Return the picture of a tile's emoji as an address."""
    (code,) = (each for each in CODES if name_emoji(each) == name)
    return data_url(pictures.emoji_png(code))


def data_url(content: bytes, kind: str = "image/png") -> str:
    """Return a file as an address."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def page(style: str, chats: Sequence[str]) -> str:
    """A page of chats side by side."""
    shown = "".join(chats)
    font = base64.b64encode(_HANGUL.read_bytes()).decode() if re.search("[가-힣]", shown) else ""
    face = f"@font-face {{ font-family: Hangul; src: url(data:font/ttf;base64,{font}) }}" if font else ""
    return f"<!doctype html><meta charset=utf-8><style>{face}{_COMMON}{style}</style><main>{shown}</main>"


def photograph(content: str) -> bytes:
    """A page as a palette PNG without a background."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 800}, device_scale_factor=SCALE)
        page.set_content(content)
        png = page.locator("main").screenshot(omit_background=True, type="png")
        browser.close()
    image = Image.open(io.BytesIO(png)).quantize(COLOURS, Image.Quantize.FASTOCTREE)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
