"""A copied sentence finds its page in any script, a few common words together prove nothing, wordings help a little."""

import numpy as np
import pytest

from bot.domain.answers import RetrievalParameters
from bot.domain.memories import Passage
from bot.ports import Hit
from bot.rag.fusion import Fused, Ranking
from bot.rag.lexicon import terms
from bot.rag.second_look import Words, candidate, copied, look_again

LOOKUP = RetrievalParameters(passages=5, by_meaning=0.7, by_words=0.3, wordings=2)


def share(question, text):
    asked = Words.of(question).in_order()
    return copied(asked, dict.fromkeys(terms(question), 1.0), Words.of(text))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("The mill turns the wheel at dawn", "At last: the mill turns the wheel at dawn, they say."),
        ("“The kettle is nearly empty now,” she said.", "Then: “The kettle is nearly empty now,” she said. All left."),
        ("Мельница у реки стоит с осени", "Известно, что мельница у реки стоит с осени. Её чинят."),
        ("水車小屋は夜明けに動く", "記録によると水車小屋は夜明けに動くという。"),
    ],
)
def test_a_copied_sentence_counts_whole(question, text):
    assert share(question, text) == 1.0


def test_the_same_words_in_another_order_are_no_copy():
    assert share("The mill turns the wheel at dawn", "At dawn the wheel turns and the mill waits.") == 0.0


def test_a_sentence_with_its_end_left_off_counts_in_part():
    text = "The old mill turns the heavy wheel slowly."
    assert 0 < share("The old mill turns the heavy wheel at dawn", text) < 1


def test_what_a_question_begins_with_proves_nothing():
    assert share("What is the capital of Norway", "What is the best bread in town?") == 0.0
    assert share("the mill", "the mill") == 0.0
    assert share("", "the mill") == 0.0


def found(chunk_id, text, vector, wordings, score):
    passage = Passage(chunk_id=chunk_id, memory_id=f"m{chunk_id}", number=0, title="", url="", text=text, score=0.0)
    fused = Fused(chunk_id=chunk_id, memory_id=f"m{chunk_id}", score=score, found_by=())
    return candidate(passage, fused, np.array(vector, dtype=np.float32), np.array(wordings, dtype=np.float32), 1)


def ranking(wording, *hits):
    made = tuple(Hit(chunk_id=chunk_id, memory_id=f"m{chunk_id}", score=score) for chunk_id, score in hits)
    return Ranking(way="words", wording=wording, hits=made, weight=0.3)


def test_a_copy_outranks_what_a_model_thinks_nearer():
    asked = [[1.0, 0.0]]
    near = found(1, "Что-то совсем другое о доме", (1.0, 0.0), asked, 0.2)
    copy = found(2, "Сказано: мельница у реки стоит с осени", (0.0, 1.0), asked, 0.1)
    question = "Мельница у реки стоит с осени"
    wanted = [dict.fromkeys(terms(question), 2.0)]
    scores = look_again((near, copy), [ranking(question, (2, 9.0))], wanted, LOOKUP, 1)
    assert scores[2] > scores[1]


def test_another_wording_helps_and_does_not_outrank_the_original():
    asked = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    original = found(1, "owls hunt", (1.0, 0.0, 0.0), asked, 0.1)
    other = found(2, "mice flee", (0.0, 1.0, 0.0), asked, 0.1)
    neither = found(3, "bread rises", (0.0, 0.0, 1.0), asked, 0.1)
    rankings = [ranking("owls hunt", (1, 5.0)), ranking("mice flee", (2, 5.0))]
    wanted = [dict.fromkeys(terms(one.wording), 1.0) for one in rankings]
    scores = look_again((original, other, neither), rankings, wanted, LOOKUP, 1)
    assert scores[1] > scores[2] > scores[3]


def test_nothing_found_has_no_scores():
    assert look_again((), [ranking("owls")], [{}], LOOKUP, 1) == {}
