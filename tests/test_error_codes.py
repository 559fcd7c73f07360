"""docs/errors.md lists every code that the application and the chats know, and no other.

The engine's own sections are compared in tests/engine/test_error_codes.py.
"""

from tests.codes import application_codes, chat_codes, listed

SAID_BY_A_CHAT = {"failed"}
"""Said by an adapter itself when the router could not answer."""


def test_what_the_application_refuses_is_listed() -> None:
    assert listed("What the application refuses") == application_codes() | SAID_BY_A_CHAT
    assert {"old_button", "store_away", "no_table"} <= application_codes()


def test_why_a_chat_does_not_run_is_listed() -> None:
    assert listed("Why a chat does not run") == chat_codes()
    assert "bad_token" in chat_codes()
