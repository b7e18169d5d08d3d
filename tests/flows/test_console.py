"""A whole conversation over a pipe: save files, ask about them, follow up, greet."""

import io
import sys
from pathlib import Path

import pytest

from bot.ports import Embedder
from tests.fakes.commandline import Ran, SmallWeb, command_line

KILN = "# The Merle kiln\n\nThe Merle kiln reaches 1260 degrees. It costs 900 euros. It weighs 80 kilograms."
FERNS = "# Watering ferns\n\nFerns want water every second day in summer, and once a week in winter."


@pytest.fixture
def talked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, embedder: Embedder
) -> tuple[Ran, list[str]]:
    (tmp_path / "kiln.md").write_text(KILN)
    (tmp_path / "ferns.md").write_text(FERNS)
    palace = command_line(monkeypatch, capsys, tmp_path / "home", SmallWeb(), embedder=embedder)
    typed = ["kiln.md", str(tmp_path / "ferns.md"), "How often do ferns want water?", "thanks!", "/dance", "./gone.md"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(typed).encode())))
    ran = palace("run")
    return ran, ran.out.split("> ")[1:]


def test_a_piped_conversation_saves_then_answers_with_the_right_page_first(talked: tuple[Ran, list[str]]) -> None:
    ran, turns = talked
    kiln, ferns, question, thanks, *_ = turns
    assert "Saved for only you" in kiln
    assert "Saved for only you" in ferns
    assert question.partition("Sources:\n")[2].startswith("[1] Watering ferns")
    assert "Sources" not in thanks
    assert "\x1b" not in ran.out


def test_what_it_could_not_do_is_a_sentence_each_and_the_exit_status(talked: tuple[Ran, list[str]]) -> None:
    ran, _ = talked
    said = ran.err.splitlines()
    assert ran.status == 1
    assert said[0].startswith("No platform is on")
    assert said[1].startswith("There is no command /dance")
    assert said[2] == "There is no file gone.md."
