"""An update of every kind that Telegram has, as it comes when nothing is broken."""

import itertools
import random
from typing import Any

Json = dict[str, Any]

_numbers = itertools.count(1000)

PEOPLE = (901, 902, 903)
GROUP, FORUM, CHANNEL = -701, -100702, -100703
ANONYMOUS = 1087968824

COMMANDS = (
    *("/okey", "/okey 3 quick", "/okey@okey_bot", "/okey@other_bot", "/katil", "/rack", "/start", "/help"),
    *(
        "/start abc",
        "/word \n",
        "/OKEY",
        "/okey\x00",
        "/",
        "okey",
        "/profile",
        "/defaults x",
        "/ okey",
        "/ğ",
    ),
)
DATA = ("rack.t1.0", "join.t1.0", "draw.t1.1", "prefer.-.0", "", ".", "x" * 64, "Ω.ğ.1")


def made_up(dice: random.Random) -> Json:
    """One of them; those that the bot asks for more often than the others."""
    return dice.choice((_written, _written, _pressed, _pressed, _service, _other))(dice)


def _user(number: int, *, is_bot: bool = False) -> Json:
    return {
        "id": number,
        "is_bot": is_bot,
        "first_name": f"Person {number}",
        "username": f"person{number}",
        "language_code": "tr",
    }


def _chat(dice: random.Random, person: int) -> Json:
    return dice.choice(
        (
            {"id": person, "type": "private", "first_name": f"Person {person}"},
            {"id": GROUP, "type": "group", "title": "Kahve"},
            {"id": FORUM, "type": "supergroup", "title": "Forum", "is_forum": True},
        )
    )


def _message(dice: random.Random, **more: Any) -> Json:
    person = dice.choice(PEOPLE)
    message = {
        "message_id": next(_numbers),
        "date": 1_780_000_000,
        "chat": _chat(dice, person),
        "from": _user(person),
        **more,
    }
    if message["chat"]["id"] == FORUM and dice.random() < 0.5:
        message |= {"message_thread_id": 17, "is_topic_message": True}
    return message


def _written(dice: random.Random) -> Json:
    text = dice.choice(COMMANDS)
    entities = [{"type": "bot_command", "offset": 0, "length": max(1, len(text.split()[0]))}]
    message = _message(dice, text=text, entities=entities)
    if dice.random() < 0.15:
        message |= {"sender_chat": message["chat"], "from": _user(ANONYMOUS, is_bot=True)}
    kind = dice.choice(("message",) * 4 + ("edited_message", "business_message"))
    return {kind: message}


def _pressed(dice: random.Random) -> Json:
    person = dice.choice(PEOPLE)
    message = _message(dice, text="The table", chat=_chat(dice, person))
    message["from"] = _user(7000000001, is_bot=True)
    if dice.random() < 0.2:
        message["date"] = 0
    if dice.random() < 0.2:
        size = {"file_id": "f", "file_unique_id": "u", "width": 9, "height": 9}
        message |= {"photo": [size], "caption": "The table"}
    query = {
        "id": str(next(_numbers)),
        "from": _user(person),
        "chat_instance": "5",
        "data": dice.choice(DATA),
    }
    where: Json = {"inline_message_id": "x"} if dice.random() < 0.1 else {"message": message}
    return {"callback_query": query | where}


def _service(dice: random.Random) -> Json:
    person = _user(dice.choice(PEOPLE))
    happened: Json = dice.choice(
        (
            {"new_chat_members": [person]},
            {"left_chat_member": person},
            {"new_chat_title": "Yeni"},
            {"group_chat_created": True},
            {"migrate_to_chat_id": -100799},
            {"migrate_from_chat_id": GROUP},
            {"pinned_message": _message(dice, text="pinned")},
            {"forum_topic_created": {"name": "Okey", "icon_color": 1}},
            {"forum_topic_closed": {}},
            {"message_auto_delete_timer_changed": {"message_auto_delete_time": 5}},
            {"sticker": {"file_id": "s", "file_unique_id": "s", "type": "regular", "width": 1, "height": 1}},
        )
    )
    return {"message": _message(dice, **happened)}


def _other(dice: random.Random) -> Json:
    person, chat = _user(dice.choice(PEOPLE)), {"id": FORUM, "type": "supergroup", "title": "Forum"}
    posted = {
        "message_id": 3,
        "date": 1_780_000_000,
        "chat": {"id": CHANNEL, "type": "channel", "title": "C"},
    }
    member = {
        "chat": chat,
        "from": person,
        "date": 1_780_000_000,
        "old_chat_member": {"status": "member", "user": person},
        "new_chat_member": {"status": "left", "user": person},
    }
    poll = {
        "id": "1",
        "question": "?",
        "options": [{"text": "a", "voter_count": 0, "persistent_id": "a"}],
        "total_voter_count": 0,
        "is_closed": False,
        "is_anonymous": True,
        "type": "regular",
        "allows_multiple_answers": False,
    }
    others: dict[str, Json] = {
        "channel_post": posted | {"text": "/okey", "sender_chat": posted["chat"]},
        "edited_channel_post": posted | {"text": "/okey"},
        "my_chat_member": member,
        "chat_member": member,
        "chat_join_request": {"chat": chat, "from": person, "user_chat_id": 1, "date": 1},
        "inline_query": {"id": "1", "from": person, "query": "okey", "offset": ""},
        "chosen_inline_result": {"result_id": "1", "from": person, "query": "okey"},
        "poll": poll,
        "poll_answer": {"poll_id": "1", "user": person, "option_ids": [0], "option_persistent_ids": ["a"]},
        "message_reaction": {
            "chat": chat,
            "message_id": 1,
            "user": person,
            "date": 1,
            "old_reaction": [],
            "new_reaction": [{"type": "emoji", "emoji": "👍"}],
        },
        "something_new": {"from": person, "text": "/okey"},
    }
    kind = dice.choice(sorted(others))
    return {kind: others[kind]}
