"""Settings that cannot work are refused when they are read."""

import pytest
from pydantic import ValidationError

from bot.settings import Settings


@pytest.mark.parametrize("name", ["Mars/X", "", "../etc/passwd", "/etc"])
def test_a_time_zone_that_nobody_knows_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="no time zone"):
        Settings(_env_file=None, palace_timezone=name)


def test_a_time_zone_that_exists_is_taken() -> None:
    assert Settings(_env_file=None, palace_timezone="Europe/Berlin").palace_timezone == "Europe/Berlin"
