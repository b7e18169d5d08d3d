"""Data sets are read gzipped or not, and a missing one is told in a sentence."""

import gzip

import pytest

from tests.evals.records import records


def test_lines_are_read_plain_and_gzipped_and_empty_ones_hold_nothing(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"n": 1}\n\n{"n": 2}\n')
    with gzip.open(tmp_path / "b.jsonl.gz", "wt") as file:
        file.write('{"n": 3}\n')
    assert records(tmp_path / "a.jsonl") == [{"n": 1}, {"n": 2}]
    assert records(tmp_path / "b.jsonl") == records(tmp_path / "b.jsonl.gz") == [{"n": 3}]


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(SystemExit, match="There is no file"):
        records(tmp_path / "none.jsonl")
