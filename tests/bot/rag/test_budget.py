"""What goes to the model fits its window, and what matters most stays."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.memories import Passage
from bot.domain.messages import Turn
from bot.rag.budget import estimate_tokens, fit, passage_tokens, turn_tokens

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def passage(number: int, length: int = 350) -> Passage:
    return Passage(chunk_id=number, memory_id=f"m{number}", number=0, text="x" * length, title="", url="")


def turn(number: int, length: int = 350) -> Turn:
    return Turn(speaker="person", text=f"{number} " + "y" * length, at=NOW)


def test_everything_stays_where_there_is_room():
    passages, turns = [passage(1), passage(2)], [turn(1)]
    assert fit(passages, turns, question="q", budget_tokens=10_000, fixed_tokens=100) == (tuple(passages), tuple(turns))


def test_the_weakest_passages_leave_before_any_turn():
    room = passage_tokens(passage(1)) + 2 * turn_tokens(turn(1)) + 10
    passages, turns = fit(
        [passage(1), passage(2), passage(3)], [turn(1), turn(2)], question="q", budget_tokens=room, fixed_tokens=0
    )
    assert [one.chunk_id for one in passages] == [1]
    assert [one.text[0] for one in turns] == ["1", "2"]


def test_then_the_oldest_turns_leave():
    room = passage_tokens(passage(1)) + turn_tokens(turn(1)) + 10
    _, turns = fit([passage(1)], [turn(1), turn(2)], question="q", budget_tokens=room, fixed_tokens=0)
    assert [one.text[0] for one in turns] == ["2"]


def test_the_best_passage_stays_even_where_it_does_not_fit():
    passages, turns = fit([passage(1, 9_000), passage(2)], [turn(1)], question="q", budget_tokens=50, fixed_tokens=40)
    assert [one.chunk_id for one in passages] == [1]
    assert turns == ()


def test_a_token_is_three_and_a_half_characters_and_one_where_words_are_not_spelled():
    assert estimate_tokens("abcdefg") == 2
    assert estimate_tokens("猫と犬") == 3
    assert estimate_tokens("") == 0


@given(st.lists(st.integers(0, 4_000), max_size=8), st.lists(st.integers(0, 4_000), max_size=8), st.integers(0, 5_000))
def test_what_stays_fits_or_is_the_best_passage_alone(passage_lengths, turn_lengths, budget):
    passages = [passage(number, length) for number, length in enumerate(passage_lengths)]
    turns = [turn(number, length) for number, length in enumerate(turn_lengths)]
    kept, told = fit(passages, turns, question="why?", budget_tokens=budget, fixed_tokens=100)
    size = sum(map(passage_tokens, kept)) + sum(map(turn_tokens, told)) + 100 + estimate_tokens("why?")
    assert size <= budget or (len(kept) <= 1 and not told)
    assert kept == tuple(passages[: len(kept)])
    assert told == tuple(turns[len(turns) - len(told) :])
