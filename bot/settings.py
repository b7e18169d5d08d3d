"""Every setting, read once from the environment or `.env`, frozen."""

from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.domain.answers import Intent


class Settings(BaseSettings):
    """What outsiders may set. A field's name in upper case is its environment variable."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", frozen=True)

    palace_home: Path = Field(default_factory=lambda: Path.home() / ".palace")
    palace_database_url: str = ""
    palace_planning_model: str = "claude-haiku-5-5"
    palace_answering_model: str = "claude-sonnet-5-5"
    palace_embedding_model: str = ""
    palace_trusted_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    palace_timezone: str = "UTC"
    palace_log_level: str = "WARNING"
    palace_step_deadline_s: float = Field(default=10.0, gt=0)
    palace_first_word_deadline_s: float = Field(default=30.0, gt=0)
    palace_window_tokens: int = Field(default=100_000, ge=8_000)
    palace_parameters: dict[Intent, tuple[int, float, float, int]] = Field(default_factory=dict)

    anthropic_api_key: SecretStr = SecretStr("")
    anthropic_base_url: str = ""

    slack_bot_token: SecretStr = SecretStr("")
    slack_app_token: SecretStr = SecretStr("")
    slack_signing_secret: SecretStr = SecretStr("")
    slack_client_id: str = ""
    slack_client_secret: SecretStr = SecretStr("")
    slack_api_url: str = "https://slack.com/api/"
    slack_http_host: str = "127.0.0.1"
    slack_http_port: int = 3000

    discord_bot_token: SecretStr = SecretStr("")
    discord_api_url: str = "https://discord.com/api/v10"
    discord_gateway_url: str = ""

    telegram_bot_token: SecretStr = SecretStr("")
    telegram_api_url: str = "https://api.telegram.org"
    telegram_webhook_url: str = ""
    telegram_webhook_secret: SecretStr = SecretStr("")
    telegram_http_host: str = "127.0.0.1"
    telegram_http_port: int = 3001

    @field_validator("palace_timezone")
    @classmethod
    def known_timezone(cls, value: str) -> str:
        """Refuse a time zone that nobody knows, before a question stumbles over it."""
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            sentence = f"there is no time zone {value!r}; write one such as Europe/Berlin"
            raise ValueError(sentence) from None
        return value

    @field_validator("palace_trusted_hosts", mode="before")
    @classmethod
    def split_hosts(cls, value: object) -> object:
        """Read a comma-separated list."""
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value
