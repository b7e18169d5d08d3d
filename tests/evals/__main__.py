"""Run an evaluation through the product's own code path: `python -m tests.evals SET --data DIR --split dev --json`."""

import argparse
import asyncio
import importlib
import json
import logging
import sys
import time
from pathlib import Path
from typing import Any

SETS = Path(__file__).parent / "sets"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evals", description=__doc__)
    parser.add_argument("set", help=f"one of {', '.join(known())}, or `all`")
    parser.add_argument("--data", type=Path, required=True, help="a folder with one folder a set")
    parser.add_argument("--split", default="dev", help="dev or held")
    parser.add_argument("--json", action="store_true", help="one JSON line a set")
    arguments = parser.parse_args()
    names = known() if arguments.set == "all" else (arguments.set,)
    if not set(names) <= set(known()):
        parser.error(f"unknown set {arguments.set!r}; known: {', '.join(known())}")
    logging.disable(logging.WARNING)
    for name in names:
        if arguments.set == "all" and not (arguments.data / name / arguments.split).is_dir():
            print(f"{name}: not in {arguments.data}", file=sys.stderr)
            continue
        report(asyncio.run(evaluate(name, arguments.data / name, arguments.split)), as_json=arguments.json)


def known() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in SETS.glob("*.py")))


async def evaluate(name: str, folder: Path, split: str) -> dict[str, Any]:
    """A set's module has `async def evaluate(folder, split) -> {"items": n, …figures}`; `folder` is DIR/SET."""
    if not (folder / split).is_dir() and name != "routes":
        sys.exit(f"There is no folder {folder / split}")
    started = time.monotonic()
    figures = await importlib.import_module(f"tests.evals.sets.{name}").evaluate(folder, split)
    return {
        "set": name,
        "split": split,
        "items": figures.pop("items"),
        "seconds": round(time.monotonic() - started, 1),
    } | figures


def report(result: dict[str, Any], *, as_json: bool) -> None:
    rounded = {key: round(value, 4) if isinstance(value, float) else value for key, value in result.items()}
    if as_json:
        print(json.dumps(rounded, ensure_ascii=False), flush=True)
    else:
        print("  ".join(f"{key} {value}" for key, value in rounded.items()), flush=True)


if __name__ == "__main__":
    main()
