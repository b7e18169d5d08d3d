"""The prompts, one Markdown file a step: above the rule what is cached, below it the turn, filled by name."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

RULE = "\n---\n"
SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A step's prompt."""

    system: str
    """The same bytes in every call: nothing that varies, no saved text."""
    turn: str
    """What varies, with `{{slots}}`."""

    def fill(self, **values: str) -> str:
        """Return the turn with every slot filled, once. Raises KeyError for a value missing or unknown."""
        slots = set(SLOT.findall(self.turn))
        if slots != values.keys():
            raise KeyError(f"wanted {sorted(slots)}, given {sorted(values)}")
        return SLOT.sub(lambda slot: values[slot[1]], self.turn)


@cache
def load(name: str) -> Prompt:
    """Return the prompt of `name`.md in this folder."""
    text = (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8")
    system, _, turn = text.partition(RULE)
    return Prompt(system=system.strip(), turn=turn.strip())
