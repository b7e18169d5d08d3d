"""Write buttons as an inline keyboard (pure)."""

from collections.abc import Sequence

from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup

from bot.domain.replies import Button

CALLBACK_BYTES = 64
"""Of a button's data (bots/api#inlinekeyboardbutton)."""
BUTTONS_A_ROW = 4
MOST_BUTTONS = 100


def keyboard(buttons: Sequence[Button]) -> InlineKeyboardMarkup | None:
    """Return buttons in rows; one whose data is longer than Telegram takes is left out."""
    pressed = [(button, f"{_name(button)}:{button.target}") for button in buttons]
    keys = [
        InlineKeyboardButton(text=_label(button), callback_data=data)
        for button, data in pressed
        if len(data.encode()) <= CALLBACK_BYTES
    ][:MOST_BUTTONS]
    rows = [keys[start : start + BUTTONS_A_ROW] for start in range(0, len(keys), BUTTONS_A_ROW)]
    return InlineKeyboardMarkup(inline_keyboard=rows) if rows else None


def _name(button: Button) -> str:
    """Return the action behind a button. Telegram has no forms; tags are typed into a reply."""
    return "tags" if button.name == "edit" else button.name


def _label(button: Button) -> str:
    return {"edit": "Tags", "up": "👍", "down": "👎"}.get(button.name, button.label)
