"""Read the lines of a data set, gzipped or not: every evaluation does."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any


def records(path: Path) -> list[dict[str, Any]]:
    """The JSON lines of a file, which may be gzipped under the same name with `.gz`; empty lines hold none."""
    plain, zipped = path.with_name(path.name.removesuffix(".gz")), path.with_name(f"{path.name.removesuffix('.gz')}.gz")
    if not plain.exists() and not zipped.exists():
        sys.exit(f"There is no file {plain}")
    with gzip.open(zipped, "rt", encoding="utf-8") if zipped.exists() else plain.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
