"""Who left a group, or was thrown out, as Telegram reports it."""

from typing import Any

import pytest
from telegram import Update

from adapters.telegram_chat.events import check_update, member_who_left
from adapters.telegram_chat.updates import WANTED

ADA = {"id": 7, "is_bot": False, "first_name": "Ada"}
OLGA = {"id": 8, "is_bot": False, "first_name": "Olga"}
CLUB = {"id": -100500, "type": "supergroup", "title": "Club"}
NO_RIGHTS = dict.fromkeys(
    (
        *("can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos"),
        *("can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages"),
        *("can_add_web_page_previews", "can_change_info", "can_invite_users", "can_pin_messages"),
        *("can_manage_topics", "can_edit_tag", "can_react_to_messages"),
    ),
    False,
)


def read(kind: str, content: dict[str, Any]) -> Update:
    """An update, as the adapter reads it."""
    update = check_update({"update_id": 1, kind: {"chat": CLUB, "date": 1, "from": OLGA, **content}})
    assert update is not None
    assert kind in update, "it can be read"
    return Update.de_json(update, None)


def change(status: str, **more: Any) -> dict[str, Any]:
    """Ada's new standing in the group."""
    return {
        "old_chat_member": {"status": "member", "user": ADA},
        "new_chat_member": {"status": status, "user": ADA, **more},
    }


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("message", {"message_id": 3, "left_chat_member": ADA}),
        ("chat_member", change("left")),
        ("chat_member", change("kicked", until_date=0)),
        ("chat_member", change("restricted", is_member=False, until_date=0, **NO_RIGHTS)),
    ],
)
def test_leaving_is_read(kind: str, content: dict[str, Any]) -> None:
    assert kind in WANTED
    assert member_who_left(read(kind, content)) == ("tg:7", "tg:-100500")


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("message", {"message_id": 3, "text": "bye"}),
        ("chat_member", change("member")),
        ("chat_member", change("restricted", is_member=True, until_date=0, **NO_RIGHTS)),
    ],
)
def test_staying_is_no_leaving(kind: str, content: dict[str, Any]) -> None:
    assert member_who_left(read(kind, content)) is None
