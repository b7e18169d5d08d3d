"""The application's import names are its own, and what it is installed from is whole."""

import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
OURS = {"bot", "adapters", "storage"}


def test_no_dependency_installs_one_of_our_top_level_names() -> None:
    for distribution in distributions():
        if distribution.metadata["Name"] == "memory-palace-bot":
            continue
        tops = {str(path).split("/")[0] for path in distribution.files or ()}
        assert not OURS & tops, distribution.metadata["Name"]


def test_every_dependency_is_locked_to_one_version() -> None:
    locked = {name_of(line) for line in (ROOT / "requirements.lock").read_text().splitlines() if "==" in line}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {name_of(line) for line in project["dependencies"]} <= locked


def test_the_readme_gives_a_reason_for_every_dependency() -> None:
    readme = (ROOT / "README.md").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    missing = [line for line in project["dependencies"] if f"| {plain_name(line)} |" not in readme]
    assert not missing


def test_the_torch_pin_stands_in_the_lock_and_not_in_the_package() -> None:
    assert "torch==2.13.0" in (ROOT / "requirements.lock").read_text().splitlines()
    assert '"torch==' not in (ROOT / "pyproject.toml").read_text()


def plain_name(requirement: str) -> str:
    return re.split(r"[\[<>=!~ ]", requirement)[0]


def name_of(requirement: str) -> str:
    return plain_name(requirement).lower().replace("_", "-")
