"""What is logged holds no secret, not even where a library's traceback does."""

import logging
import sys

from bot.commandline.session import HIDDEN, blank_record


def test_a_secret_is_blanked_in_the_words_and_in_the_traceback_of_a_record() -> None:
    try:
        raise OSError("cannot reach https://api.telegram.org/bot123:secret/getMe")
    except OSError:
        failure = sys.exc_info()
    record = logging.LogRecord("library", logging.ERROR, __file__, 1, "call of %s", ("bot123:secret",), failure)
    assert blank_record(record, ("123:secret",))
    line = logging.Formatter("%(levelname)s %(message)s").format(record)
    assert "123:secret" not in line
    assert f"call of bot{HIDDEN}" in line
    assert f"OSError: cannot reach https://api.telegram.org/bot{HIDDEN}/getMe" in line
