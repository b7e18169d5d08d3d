"""Budgets and paces: never over the platform's count, room for finals, silence when told to be silent."""

import pytest

from adapters.pacing import Budget, Pace
from tests.fakes.timing import FakeTime


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


def test_live_calls_are_spread_and_finals_find_room(time: FakeTime) -> None:
    budget = Budget(per_minute=20, kept=5, burst=3, timing=time.timing)
    live = 0
    for _ in range(600):
        if budget.delay(final=False) <= 0:
            budget.count(final=False)
            live += 1
        time.moment += 0.1
    assert 15 <= live <= 18
    for _ in range(20 - live):
        assert budget.delay(final=True) == 0
        budget.count(final=True)
    assert budget.delay(final=True) > 0


def test_a_least_gap_holds_for_finals_too(time: FakeTime) -> None:
    budget = Budget(per_minute=60, kept=5, gap_s=1.0, timing=time.timing)
    budget.count(final=True)
    assert budget.delay(final=True) == pytest.approx(1.0)


def test_after_a_crash_only_what_is_kept_may_go(time: FakeTime) -> None:
    budget = Budget(per_minute=20, kept=5, timing=time.timing)
    budget.fill()
    for _ in range(5):
        assert budget.delay(final=True) == 0
        budget.count(final=True)
    assert budget.delay(final=True) == pytest.approx(60.0)


async def test_a_cool_off_silences_the_destination_and_all_that_share_the_budget(time: FakeTime) -> None:
    edits = Budget(per_minute=50, kept=10, timing=time.timing)
    one, other = (Pace(every_s=1.0, edits=edits, timing=time.timing) for _ in range(2))
    one.cool_off("edit", 30)
    assert one.delay("post", final=True) == pytest.approx(30)
    assert other.delay("edit", final=True) == pytest.approx(30)
    assert other.delay("post", final=True) == 0
