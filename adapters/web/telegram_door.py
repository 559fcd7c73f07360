"""Telegram's door: the Mini App. Telegram signs the person's data with a key made from the bot's token."""

import hmac
import re
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Final
from urllib.parse import parse_qsl

import msgspec
from msgspec import Meta, Struct

from adapters.web.ports import Entry, NotAdmitted
from adapters.web.protocol import Enter
from bot.ports import Person

_OLDEST: Final = 24 * 3600.0
_AHEAD: Final = 300.0
_MOST_FIELDS: Final = 30
_TABLE: Final = re.compile(r"[a-z0-9]{1,16}", re.ASCII)


class _User(Struct):
    id: Annotated[int, Meta(gt=0)]
    first_name: str
    last_name: str = ""
    language_code: str = ""


_USER: Final = msgspec.json.Decoder(_User)


class TelegramDoor:
    """The door of one bot."""

    platform = "tg"
    frames = "https://web.telegram.org"
    asks_platform = False

    def __init__(self, token: str, clock: Callable[[], float] = time.time) -> None:
        self._key = hmac.digest(b"WebAppData", token.encode(), sha256)
        self._clock = clock

    async def client(self) -> str:
        return ""

    async def origins(self) -> tuple[str, ...]:
        """Return none: even in a frame, its document connects to our own address only."""
        return ()

    async def enter(self, entering: Enter) -> Entry:
        """Return the person whom Telegram signed for. The table of a link is only a wish: anybody can write
        one."""
        fields = self._check_signature(entering.proof)
        try:
            user = _USER.decode(fields["user"])
        except (KeyError, msgspec.MsgspecError):
            raise NotAdmitted from None
        name = f"{user.first_name} {user.last_name}".strip()
        person = Person(f"tg:{user.id}", name, user.language_code)
        return Entry(person, table=_table(fields.get("start_param", "")), proof=fields["hash"])

    def _check_signature(self, text: str) -> dict[str, str]:
        """Return the fields, if Telegram signed them within a day. Raises NotAdmitted."""
        try:
            pairs = parse_qsl(
                text,
                keep_blank_values=True,
                strict_parsing=True,
                errors="strict",
                max_num_fields=_MOST_FIELDS,
            )
            fields = dict(pairs)
            given = fields["hash"]
            said = "\n".join(f"{name}={fields[name]}" for name in sorted({*fields} - {"hash"}))
            age = self._clock() - int(fields["auth_date"])
        except (ValueError, KeyError, OverflowError):
            raise NotAdmitted from None
        right = hmac.digest(self._key, said.encode(), sha256).hex()
        if len(fields) != len(pairs) or not hmac.compare_digest(right.encode(), given.encode()):
            raise NotAdmitted
        if not -_AHEAD <= age <= _OLDEST:
            raise NotAdmitted
        return fields


def _table(wish: str) -> str:
    return wish if _TABLE.fullmatch(wish) else ""
