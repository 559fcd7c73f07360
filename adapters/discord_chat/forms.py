"""Forms: the text that some buttons ask for, in a window over the chat.

The form has the button's own text as its id: what is typed is that press with words to it, and a restart in
between does no harm.
"""

from typing import Any, Final

from discord import InteractionType, TextStyle, ui

from adapters.discord_chat.responses import Interaction
from bot.commands import DECLARED_FORMS
from bot.i18n import words_for

LONGEST_LABEL: Final = 45
"""The most characters of a form's title, and of what stands above a field."""
SHORT: Final = 100
"""The most characters that are typed in one line."""

_TYPED: Final = "typed"


def make_form(interaction: Interaction, press: str) -> ui.Modal | None:
    """Return the form that a button opens, in the presser's language; None: it opens none."""
    verb = press.partition(".")[0]
    asked, words = DECLARED_FORMS.get(verb), words_for(str(interaction.locale))
    if asked is None:
        return None
    form = ui.Modal(title=words.plain(f"button.{verb}")[:LONGEST_LABEL], custom_id=press)
    field = ui.TextInput[ui.Modal](
        custom_id=_TYPED,
        style=TextStyle.short if asked.most <= SHORT else TextStyle.long,
        required=asked.required,
        max_length=asked.most,
    )
    about = words.plain(f"argument.{asked.name}.about")
    form.add_item(ui.Label(text=about[:LONGEST_LABEL], component=field))
    form.stop()  # what is typed comes as an interaction, and the library need not wait for it
    return form


def read_typed(interaction: Interaction) -> str:
    """Return what was typed in a form; empty for any other interaction."""
    if interaction.type is not InteractionType.modal_submit:
        return ""
    data: Any = interaction.data
    # `make_form` makes one field.
    return "".join(label["component"].get("value", "") for label in data["components"])
