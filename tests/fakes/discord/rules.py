"""What Discord refuses: lengths, forms, buttons; each with its own error."""

from typing import Any

CONTENT, NONCE, LABEL, CUSTOM_ID, TITLE = 2000, 25, 80, 100, 45
COMMAND_NAME, DESCRIPTION, CHAT_COMMANDS, MENU_COMMANDS, CHOICES = 32, 100, 100, 15, 25


class ApiError(Exception):
    """An error as the API answers it."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"code": code, "message": message} | ({"errors": errors} if errors else {})


def bad_form(field: str, message: str, code: str = "BASE_TYPE_MAX_LENGTH") -> ApiError:
    return ApiError(400, 50035, "Invalid Form Body", {field: {"_errors": [{"code": code, "message": message}]}})


def check_message(body: dict[str, Any]) -> None:
    """Refuse a message that Discord would refuse."""
    content = body.get("content") or ""
    if len(content) > CONTENT:
        raise bad_form("content", f"Must be {CONTENT} or fewer in length.")
    if not content.strip() and "content" in body:
        raise ApiError(400, 50006, "Cannot send an empty message")
    if len(str(body.get("nonce") or "")) > NONCE:
        raise bad_form("nonce", f"Must be {NONCE} or fewer in length.")
    rows = body.get("components") or []
    if len(rows) > 5:
        raise bad_form("components", "Must be 5 or fewer in length.")
    ids = [one.get("custom_id", "") for row in rows for one in row["components"]]
    if len(ids) != len(set(ids)):
        raise bad_form("components", "Component custom id cannot be duplicated", "COMPONENT_CUSTOM_ID_DUPLICATED")
    for row in rows:
        if not 1 <= len(row["components"]) <= 5:
            raise bad_form("components", "Must be between 1 and 5 in length.")
        for one in row["components"]:
            if not 1 <= len(one["label"]) <= LABEL:
                raise bad_form("label", f"Must be between 1 and {LABEL} in length.")
            if not 1 <= len(one["custom_id"]) <= CUSTOM_ID:
                raise bad_form("custom_id", f"Must be between 1 and {CUSTOM_ID} in length.")


def check_form(data: dict[str, Any]) -> None:
    """Refuse a modal that Discord would refuse."""
    if not 1 <= len(data["title"]) <= TITLE or len(data["custom_id"]) > CUSTOM_ID:
        raise bad_form("title", f"Must be between 1 and {TITLE} in length.")
    if not 1 <= len(data["components"]) <= 5:
        raise bad_form("components", "Must be between 1 and 5 in length.")
    for row in data["components"]:
        (field,) = row["components"]
        if field["type"] != 4 or not 1 <= len(field["label"]) <= TITLE:
            raise bad_form("label", f"Must be between 1 and {TITLE} in length.")


def check_commands(commands: list[dict[str, Any]]) -> None:
    """Refuse command tables that Discord would refuse."""
    kinds = [command.get("type", 1) for command in commands]
    if kinds.count(1) > CHAT_COMMANDS or kinds.count(3) > MENU_COMMANDS:
        raise ApiError(400, 30032, "Maximum number of application commands reached")
    for command in commands:
        if not 1 <= len(command["name"]) <= COMMAND_NAME:
            raise bad_form("name", "Must be between 1 and 32 in length.")
        if command.get("type", 1) == 1:
            if command["name"] != command["name"].lower() or " " in command["name"]:
                raise bad_form("name", "Command name is invalid", "APPLICATION_COMMAND_INVALID_NAME")
            described = [command, *command.get("options", [])]
            if any(not 1 <= len(one["description"]) <= DESCRIPTION for one in described):
                raise bad_form("description", "Must be between 1 and 100 in length.")
            required = [bool(option.get("required")) for option in command.get("options", [])]
            if required != sorted(required, reverse=True):
                raise bad_form("options", "Required options must be placed before non-required options")
        elif command.get("description"):
            raise bad_form("description", "Context menu commands cannot have description")
