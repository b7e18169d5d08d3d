"""Pieces of a passage know their heading; of a table the rows asked for are kept."""

from bot.rag.sections import asked_rows, placed, sections, spoken

TABLE = "| Day | Hours |\n|---|---|\n| Monday | 8 |\n| Friday | 6 |"
TEXT = f"# Shed\n\nA quiet place.\n\n## Times\n\nFrom eight to ten.\n\n{TABLE}"


def test_each_piece_stands_under_the_nearest_heading_above_it():
    assert [(one.heading, one.piece.kind, one.place) for one in placed(TEXT)] == [
        ("Shed", "text", 1),
        ("Times", "text", 3),
        ("Times", "table", 4),
    ]


def test_what_stands_before_the_first_heading_is_under_the_heading_of_the_passage():
    assert [one.heading for one in placed("Go on. And on.", above="Before")] == ["Before", "Before"]


def test_a_passage_of_headings_alone_gives_these():
    assert [one.piece.text for one in placed("# One")] == ["One"]


def test_sections_hold_what_stands_under_one_heading():
    assert [heading for heading, _ in sections(placed(TEXT))] == ["Shed", "Times"]


def test_only_the_rows_that_are_named_are_kept():
    table = placed(TEXT)[2]
    assert asked_rows(table, {"fridai": 1.0}).piece.text.splitlines()[2:] == ["| Friday | 6 |"]
    assert asked_rows(table, {"hour": 1.0}) == table
    assert asked_rows(placed(TEXT)[0], {"quiet": 1.0}) == placed(TEXT)[0]


def test_a_table_is_said_row_by_row_with_the_names_of_its_columns():
    assert spoken(placed(TEXT)[2].piece) == "Day Monday, Hours 8. Day Friday, Hours 6"
