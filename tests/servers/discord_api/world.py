"""The server's data: people, guilds, channels, messages, interactions. Nothing here uses HTTP.

Identifiers are integers here and strings in JSON; times are seconds since the epoch.
"""

import itertools
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, Final

Json = dict[str, Any]

DISCORD_EPOCH: Final = 1_420_070_400_000
"""The epoch of snowflakes in milliseconds; their upper bits count from here."""

VOICE: Final = 2
GUILD_TEXT: Final = 0
DIRECT: Final = 1
ANNOUNCEMENTS: Final = 5
ANNOUNCEMENT_THREAD: Final = 10
PUBLIC_THREAD: Final = 11
PRIVATE_THREAD: Final = 12
THREADS: Final = (ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD)

SCHEDULED: Final = 1
ACTIVE: Final = 2
COMPLETED: Final = 3
CANCELED: Final = 4

EPHEMERAL: Final = 1 << 6
LOADING: Final = 1 << 7
COMPONENTS_V2: Final = 1 << 15

PERMISSIONS: Final = {
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "use_external_emojis": 1 << 18,
    "connect": 1 << 20,
    "create_public_threads": 1 << 35,
    "send_messages_in_threads": 1 << 38,
}
ALL_PERMISSIONS: Final = sum(PERMISSIONS.values())
MANAGE_GUILD: Final = 1 << 5
NOTED_SECONDS: Final = 5.0
"""Seconds after a refusal during which a killed bot may not have noted it."""


class Refusal(Exception):
    """Discord's refusal: an HTTP status, Discord's own code, a sentence."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(f"{status} {code} {message}")
        self.status = status
        self.code = code
        self.message = message


@dataclass
class User:
    id: int
    name: str
    locale: str = "en-US"
    bot: bool = False
    direct_messages_open: bool = True


@dataclass
class ScheduledEvent:
    """An entry of a server's calendar. Times are seconds since the epoch."""

    id: int
    name: str
    description: str | None
    start: float
    end: float
    location: str
    status: int = SCHEDULED


@dataclass
class Guild:
    id: int
    name: str
    managing: int
    """The role whose members may manage the server."""
    has_bot: bool = True
    locale: str = "en-US"
    members: set[int] = field(default_factory=set)
    channels: set[int] = field(default_factory=set)
    managers: set[int] = field(default_factory=set)
    """Members who have that role."""
    events: dict[int, ScheduledEvent] = field(default_factory=dict)
    roles: dict[int, str] = field(default_factory=dict)
    """Names of the roles that were made by hand or by the bot."""
    mentionable: set[int] = field(default_factory=set)
    """Those of them that anybody may mention."""
    worn: dict[int, set[int]] = field(default_factory=dict)
    """Each member's roles."""
    above: set[int] = field(default_factory=set)
    """Roles above the bot's own."""
    denied: set[str] = field(default_factory=set)
    """`events`, `roles`: what the bot may not change here."""
    away: bool = False
    """Whether the gateway has lost sight of it for a while."""


@dataclass
class Attachment:
    id: int
    filename: str
    content: bytes
    description: str | None


@dataclass
class Message:
    id: int
    channel: int
    author: int
    content: str = ""
    mentions: list[int] = field(default_factory=list)
    """The notified people."""
    flags: int = 0
    components: list[Json] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    nonce: str | None = None
    only_for: int | None = None
    """The only person who sees the message, if it is ephemeral."""
    interaction: int | None = None
    edited: float | None = None


@dataclass
class Channel:
    id: int
    type: int
    name: str = ""
    guild: int | None = None
    parent: int | None = None
    recipient: int | None = None
    permissions: int = ALL_PERMISSIONS
    """The bot's permissions here."""
    archived: bool = False
    locked: bool = False
    """Whether only people who manage threads can reopen it."""
    people: list[int] | None = None
    """The people in a private thread, besides the bot."""
    messages: dict[int, Message] = field(default_factory=dict)


@dataclass
class Interaction:
    id: int
    token: str
    type: int
    """2: a command, 3: a component, 4: a command that is being typed, 5: a form that was filled in."""
    user: int
    channel: int
    data: Json
    made: float
    message: int | None = None
    deliveries: int = 1
    user_install: bool = False
    answered: int | None = None
    """The type of the first answer; None: there is none."""
    answered_after: float | None = None
    original: int | None = None
    """The message that `@original` names."""
    follow_ups: list[int] = field(default_factory=list)
    choices: list[Json] | None = None
    """The suggestions for an option that is being typed."""
    form: Json | None = None
    """The form that was opened as its answer."""


class World:
    """All data, and the identifiers in it."""

    def __init__(self, *, token: str, answer_seconds: float, token_seconds: float) -> None:
        self.token = token
        self.answer_seconds = answer_seconds
        self.token_seconds = token_seconds
        self._counter = itertools.count()
        self.application = self.snowflake()
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.interactions: dict[int, Interaction] = {}
        self.left_out: tuple[str, ...] = ()
        """Fields that are left out of interactions."""
        self.commands: list[Json] = []
        self.description = ""
        self.emojis: dict[int, Json] = {}
        self.findings: list[str] = []
        self.identical_uploads: list[tuple[float, float]] = []
        """When the pictures were uploaded that an edit uploaded again though the message had them, and when
        it did: seconds since the epoch."""
        self.refused_direct: dict[int, float] = {}
        """People whose closed direct messages refused the bot since they last acted, and the moment."""
        self.opened_direct: set[int] = set()
        """People whose direct channel the bot has opened since it logged in."""
        self.activities: dict[str, tuple[int, set[int]]] = {}
        """Running activities: the channel, and the people in it."""
        self.codes: dict[str, int] = {}
        """Codes by which an application may identify a person, once."""
        self.access: dict[str, int] = {}
        """The person of each access token."""
        self.bot = self.add_user("okeybot", bot=True)

    def emptied(self) -> "World":
        """An empty world with the same settings."""
        return World(token=self.token, answer_seconds=self.answer_seconds, token_seconds=self.token_seconds)

    def snowflake(self) -> int:
        """A new identifier that carries the present time, as Discord's do."""
        return (int(time.time() * 1000) - DISCORD_EPOCH) << 22 | next(self._counter) & 0x3FFFFF

    def find(self, sentence: str) -> None:
        """Record a broken rule."""
        self.findings.append(sentence)

    # People and places

    def launched(self, channel: int, user: int) -> str:
        """The activity of a channel, which a person joins. All people there share one. An unknown channel is
        a message of a few people, in which no bot is."""
        for id, (where, users) in self.activities.items():
            if where == channel:
                users.add(user)
                return id
        id = f"i-{self.snowflake()}-gc-{channel}"
        self.activities[id] = channel, {user}
        return id

    def add_user(self, name: str, *, locale: str = "en-US", bot: bool = False) -> User:
        user = User(self.snowflake(), name, locale, bot)
        self.users[user.id] = user
        return user

    def add_guild(self, name: str, *, has_bot: bool = True, locale: str = "en-US") -> Guild:
        guild = Guild(self.snowflake(), name, self.snowflake(), has_bot, locale)
        self.guilds[guild.id] = guild
        return guild

    def add_channel(
        self,
        guild: int,
        name: str,
        *,
        parent: int | None = None,
        announces: bool = False,
        voice: bool = False,
        people: list[int] | None = None,
    ) -> Channel:
        """A channel, perhaps one for announcements, or a thread of `parent`: with `people`, a private one."""
        kind = VOICE if voice else ANNOUNCEMENTS if announces else GUILD_TEXT
        if parent is not None:
            kind = self.kind_of_threads(parent) if people is None else PRIVATE_THREAD
        channel = Channel(self.snowflake(), kind, name, guild, parent, people=people)
        self.channels[channel.id] = channel
        self.guilds[guild].channels.add(channel.id)
        return channel

    def kind_of_threads(self, parent: int) -> int:
        """The one kind of public threads that a channel takes."""
        return ANNOUNCEMENT_THREAD if self.channels[parent].type == ANNOUNCEMENTS else PUBLIC_THREAD

    def direct_channel(self, user: int) -> Channel | None:
        return next((c for c in self.channels.values() if c.recipient == user), None)

    def add_emoji(self, name: str) -> Json:
        id = self.snowflake()
        self.emojis[id] = {
            "id": str(id),
            "name": name,
            "roles": [],
            "require_colons": True,
            "managed": False,
            "animated": False,
            "available": True,
        }
        return self.emojis[id]

    def open_direct(self, user: int) -> Channel:
        """The direct channel of the bot and a person, always the same one."""
        if user not in self.users or user == self.bot.id:
            raise Refusal(400, 50033, "Invalid Recipient(s)")
        channel = self.direct_channel(user)
        if channel is None:
            channel = Channel(self.snowflake(), DIRECT, recipient=user)
            self.channels[channel.id] = channel
        return channel

    def may_see(self, user: int, channel: Channel) -> bool:
        if channel.recipient is not None:
            return channel.recipient == user
        invited = channel.people is None or user in channel.people
        return invited and channel.guild is not None and user in self.guilds[channel.guild].members

    def seen_by(self, user: int, channel: Channel) -> list[Message]:
        """A channel as a person sees it, oldest first, with messages only they see."""
        if not self.may_see(user, channel):
            raise Refusal(403, 50001, "Missing Access")
        return [m for m in channel.messages.values() if m.only_for in (None, user)]

    # Access of the bot

    def channel(self, id: int) -> Channel:
        """A channel that the bot may read; else 10003 or 50001."""
        channel = self.channels.get(id)
        if channel is None:
            raise Refusal(404, 10003, "Unknown Channel")
        if channel.guild is not None and not (
            self.guilds[channel.guild].has_bot and channel.permissions & PERMISSIONS["view_channel"]
        ):
            raise Refusal(403, 50001, "Missing Access")
        return channel

    def writable(self, id: int, *, files: bool) -> Channel:
        """A channel that the bot may write in; else 50007 for closed messages, 50013 for a missing
        permission."""
        channel = self.channel(id)
        if channel.recipient is not None:
            self._check_direct(channel.recipient)
            return channel
        needed = ["send_messages_in_threads" if channel.parent else "send_messages"]
        needed += ["attach_files"] if files else []
        if any(not channel.permissions & PERMISSIONS[name] for name in needed):
            raise Refusal(403, 50013, "Missing Permissions")
        if channel.locked:
            raise Refusal(400, 160005, "This thread is locked")
        channel.archived = False  # a message reopens it
        return channel

    def _check_direct(self, person: int) -> None:
        if self.users[person].direct_messages_open:
            return
        if person in self.refused_direct:
            self.find(f"a closed direct message to {person} was tried again though they had not acted")
        self.refused_direct[person] = time.time()
        raise Refusal(403, 50007, "Cannot send messages to this user")

    def bot_killed(self) -> None:
        """Forgive what a killed bot can't have noted: refusals of its last seconds may be asked for again."""
        noted = time.time() - NOTED_SECONDS
        self.refused_direct = {person: at for person, at in self.refused_direct.items() if at < noted}

    def answer_lost(self, channel: str) -> None:
        """Forgive a bot what it was not told: it may ask again for a refusal there whose answer was lost."""
        where = self.channels.get(int(channel)) if channel.isdecimal() else None
        if where is not None and where.recipient is not None:
            self.refused_direct.pop(where.recipient, None)

    def own_message(self, channel: Channel, id: int) -> Message:
        """A message that the bot may edit through its channel. An ephemeral one is unknown there."""
        if channel.archived:
            raise Refusal(400, 50083, "Thread is archived")
        message = channel.messages.get(id)
        if message is None or message.only_for is not None:
            raise Refusal(404, 10008, "Unknown Message")
        if message.author != self.bot.id:
            raise Refusal(403, 50005, "Cannot edit a message authored by another user")
        return message

    # Interactions

    def add_interaction(
        self, type: int, user: int, channel: int, data: Json, message: int | None, user_install: bool
    ) -> Interaction:
        """Record a person's act, which the bot must answer within `answer_seconds`."""
        interaction = Interaction(
            id=self.snowflake(),
            token=secrets.token_urlsafe(48),
            type=type,
            user=user,
            channel=channel,
            data=data,
            made=time.time(),
            message=message,
            user_install=user_install,
        )
        self.interactions[interaction.id] = interaction
        self.refused_direct.pop(user, None)
        return interaction
