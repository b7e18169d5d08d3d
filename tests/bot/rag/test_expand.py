"""Other wordings: cleaned of what is no question, and made from the corpus' own words."""

from bot.domain.memories import Filters, Passage
from bot.ports import Hit
from bot.rag.expand import Expander, clean_wordings, sub_questions
from tests.fakes.embedder import HashEmbedder


def test_wordings_lose_marks_blanks_doubles_and_the_original():
    raw = (
        "1. glaze firing curve\n2) kiln cone chart\n\n- KX-77 cone?\n* Kiln CONE chart!\n“kiln schedule”\n" + "x" * 400
    )
    assert clean_wordings("KX-77 cone?", raw, limit=9) == (
        "KX-77 cone?",
        "glaze firing curve",
        "kiln cone chart",
        "kiln schedule",
    )


def test_the_original_stays_first_whatever_the_limit():
    assert clean_wordings("clay", ["loam", "soil"], limit=2) == ("clay", "loam")
    assert clean_wordings("clay", ["loam"], limit=0) == ("clay",)


def test_numbers_inside_a_wording_are_kept():
    assert clean_wordings("a", ["2. 3 phase motor", "5 axis mill"], limit=5) == ("a", "3 phase motor", "5 axis mill")


def test_a_comparison_asks_for_each_side():
    assert sub_questions("compare the price of Orca and Beluga kayaks")[0].startswith("Orca")
    assert len(sub_questions("compare Orca and Beluga")) == 2
    assert sub_questions("What about their revenue? (Apple, Google AI)") == ("Apple revenue", "Google AI revenue")
    assert sub_questions("bread and butter") == ()


class Corpus:
    """Three passages that all mention quartz inversion, and one word that is everywhere."""

    texts = (
        "Cracks come at quartz inversion in the kiln",
        "Quartz inversion happens at 573 degrees, kiln slow",
        "kiln door",
    )

    async def by_words(self, text, scopes, filters, *, limit):
        return tuple(Hit(chunk_id=at, memory_id=str(at), score=1.0) for at in range(len(self.texts)))

    async def passages(self, chunk_ids, scopes):
        return tuple(
            Passage(chunk_id=at, memory_id=str(at), number=0, text=self.texts[at], title="", url="") for at in chunk_ids
        )

    async def document_frequency(self, terms, scopes):
        return {term: 900 if term == "kiln" else 3 for term in terms}

    async def chunk_total(self):
        return 1000


async def test_the_corpus_own_rare_words_widen_the_question():
    wordings = await Expander(HashEmbedder(), Corpus()).expand(
        "why do pots crack", count=2, scopes=(), filters=Filters()
    )
    assert wordings
    assert wordings[0].startswith("why do pots crack ")
    assert "quartz" in wordings[0].split("crack", 1)[1].split()[:2]


async def test_no_wording_is_made_when_none_is_wanted():
    assert await Expander(HashEmbedder(), Corpus()).expand("crack", count=0, scopes=(), filters=Filters()) == ()
