"""What stands around an answer is in the language of the answer."""

from datetime import UTC, datetime

import pytest

from adapters.console.plain import source_line
from adapters.source_words import HEADINGS, share_label, source_words
from adapters.wording import answer_buttons, answer_text
from bot.domain.answers import Answer, Citation

MOMENT = datetime(2026, 5, 3, 12, 0, tzinfo=UTC)
CITED = Citation(
    number=1,
    memory_id="m",
    title="Kiln",
    url="https://pots.example/",
    person_name="Ines",
    room_name="den",
    shared_at=MOMENT,
)


@pytest.mark.parametrize(
    ("language", "heading", "line"),
    [
        ("de", "Quellen", "gespeichert von Ines in den am 3. Mai 2026"),
        ("es", "Fuentes", "guardado por Ines en den el 3 de mayo de 2026"),
        ("en", "Sources", "saved by Ines in den on 3 May 2026"),
        ("", "Sources", "saved by Ines in den on 3 May 2026"),
    ],
)
def test_sources_are_told_in_the_language_of_the_question(language, heading, line):
    answer = Answer(
        text="Ja [1].", intent="simple_lookup", confidence=1.0, standalone="", citations=(CITED,), language=language
    )
    assert f"**{heading}**" in answer_text(answer)
    assert source_words(language).heading in HEADINGS
    assert line in source_line(CITED, language)


def test_nothing_said_behind_a_stopped_answer_stands_in_its_code():
    stopped = Answer(
        text="Run it:\n```sh\nmake ru", intent="simple_lookup", confidence=0.0, standalone="", stopped=True
    )
    assert answer_text(stopped) == "Run it:\n```sh\nmake ru\n```\n\n*Stopped.*"


@pytest.mark.parametrize(("language", "why", "share"), [("de", "Warum?", "Hier teilen"), ("fr", "Why?", "Share here")])
def test_buttons_speak_the_language_of_the_answer(language, why, share):
    answer = Answer(text="x", intent="simple_lookup", confidence=1.0, standalone="", language=language, trace_id="t1")
    assert answer_buttons(answer)[-1].label == why
    assert share_label(why) == share
