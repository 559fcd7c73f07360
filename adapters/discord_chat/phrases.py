"""What the Discord side says itself. Everything of the game comes from the application."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language's command and sentences. A command's names are lower case, 1 to 32 letters."""

    okey: str
    describes: str
    action: str
    action_describes: str
    text: str
    text_describes: str
    play: str
    join: str
    invite: str
    uninvite: str
    rack: str
    rules: str
    replay: str
    record: str
    stats: str
    history: str
    watch: str
    word: str
    link: str
    unlink: str
    forget: str
    defaults: str
    invitations: str
    settings: str
    display: str
    help: str
    failed: str
    not_here: str
    """Says that the bot itself is not on this server; `{link}` is replaced."""
    lacks: str
    """Says which permissions are missing in this channel; they follow."""


ENGLISH: Final = Phrases(
    okey="okey",
    describes="Play Okey: open a table here, see your rack, or get help",
    action="action",
    action_describes="What to do; without it, a table is opened",
    text="text",
    text_describes="More words: an invitation's code, or the kind of game",
    play="play",
    join="join",
    invite="invite",
    uninvite="uninvite",
    rack="rack",
    rules="rules",
    replay="replay",
    record="record",
    stats="stats",
    history="history",
    watch="watch",
    word="word",
    link="link",
    unlink="unlink",
    forget="forget me",
    defaults="defaults",
    invitations="invitations",
    settings="settings",
    display="display",
    help="help",
    failed="That did not work. Please try again.",
    not_here="Okey is not on this server yet, so nobody else could see the table. Someone who manages the"
    " server can add it: {link}",
    lacks="Okey lacks permissions in this channel. Someone who manages it can grant them: ",
)
TURKISH: Final = Phrases(
    okey="okey",
    describes="Okey oyna: burada masa aç, ıstakana bak ya da yardım al",
    action="işlem",
    action_describes="Ne yapılacak; boş bırakırsan masa açılır",
    text="metin",
    text_describes="Diğer sözler: davet kodu ya da oyunun türü",
    play="oyna",
    join="katıl",
    invite="davet et",
    uninvite="daveti geri al",
    rack="ıstaka",
    rules="kurallar",
    replay="tekrar",
    record="kayıt",
    stats="istatistik",
    history="geçmiş",
    watch="izle",
    word="sözcük",
    link="hesap bağla",
    unlink="hesapları ayır",
    forget="beni unut",
    defaults="varsayılan",
    invitations="davetler",
    settings="ayarlar",
    display="görünüm",
    help="yardım",
    failed="Bu olmadı. Lütfen yeniden dene.",
    not_here="Okey henüz bu sunucuda değil, masayı başka kimse göremez. Sunucuyu yöneten biri ekleyebilir:"
    " {link}",
    lacks="Okey'in bu kanaldaki izinleri eksik. Kanalı yöneten biri verebilir: ",
)

TRANSLATIONS: Final = {"tr": TURKISH}
"""By Discord's locale; English is what everybody else gets."""


def phrases_for(locale: str) -> Phrases:
    return TRANSLATIONS.get(locale, ENGLISH)
