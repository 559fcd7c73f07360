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
GERMAN: Final = Phrases(
    okey="okey",
    describes="Okey spielen: hier einen Tisch öffnen, die eigene Bank sehen oder Hilfe holen",
    action="aktion",
    action_describes="Was zu tun ist; ohne Angabe wird ein Tisch geöffnet",
    text="text",
    text_describes="Weitere Worte: der Code einer Einladung oder die Art des Spiels",
    play="spielen",
    join="mitspielen",
    invite="einladen",
    uninvite="einladung zurückziehen",
    rack="bank",
    rules="regeln",
    replay="rückblick",
    record="aufzeichnung",
    stats="statistik",
    history="verlauf",
    watch="zuschauen",
    word="wort",
    link="konto verbinden",
    unlink="konten trennen",
    forget="vergiss mich",
    defaults="vorgaben",
    invitations="einladungen",
    settings="einstellungen",
    display="aussehen",
    help="hilfe",
    failed="Das hat nicht geklappt. Bitte versuch es noch einmal.",
    not_here="Okey ist noch nicht auf diesem Server, deshalb könnte niemand sonst den Tisch sehen."
    " Wer den Server verwaltet, kann es hinzufügen: {link}",
    lacks="Okey fehlen in diesem Kanal Berechtigungen. Wer ihn verwaltet, kann sie geben: ",
)
KOREAN: Final = Phrases(
    okey="okey",
    describes="오케이 하기: 여기서 테이블을 열거나, 내 패를 보거나, 도움말을 봅니다",
    action="동작",
    action_describes="할 일. 고르지 않으면 테이블을 엽니다",
    text="내용",
    text_describes="덧붙일 말: 초대 코드나 게임 종류",
    play="시작",
    join="참가",
    invite="초대",
    uninvite="초대 거두기",
    rack="내 패",
    rules="규칙",
    replay="다시 보기",
    record="기록 파일",
    stats="순위",
    history="지난 경기",
    watch="관전",
    word="낱말",
    link="계정 연결",
    unlink="계정 연결 끊기",
    forget="내 정보 지우기",
    defaults="기본 게임",
    invitations="초대 허용",
    settings="설정",
    display="모양",
    help="도움말",
    failed="되지 않았습니다. 다시 해 주세요.",
    not_here="아직 이 서버에 오케이가 없어 다른 사람이 테이블을 볼 수 없습니다."
    " 서버 관리자가 추가할 수 있습니다: {link}",
    lacks="이 채널에서 오케이에 권한이 모자랍니다. 채널 관리자가 줄 수 있습니다: ",
)

TRANSLATIONS: Final = {"tr": TURKISH, "de": GERMAN, "ko": KOREAN}
"""By Discord's locale; English is what everybody else gets."""


def phrases_for(locale: str) -> Phrases:
    return TRANSLATIONS.get(locale, ENGLISH)
