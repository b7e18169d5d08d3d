"""Addresses that must be refused and addresses that must be read, decided without any network."""

import ipaddress
from pathlib import Path

from adapters.web.guard import checked, public
from bot.domain.errors import RefusedAddress
from tests.evals.records import records
from tests.evals.scoring import mean

ANSWERS = {"block_after_dns": "127.0.0.1"}
"""What a fake name server answers, by the set's label; public for the rest."""


async def evaluate(folder: Path, split: str) -> dict:
    items = records(folder / split / "items.jsonl")
    # Some of the real articles stand under the name of a saved file (`recall::x.html`): no address at all.
    addresses = [item for item in items if not (item["label"] == "allow" and "://" not in item["url"])]
    return {
        "items": len(addresses),
        "refused": mean([not read(item) for item in addresses if item["label"] != "allow"]),
        "allowed": mean([read(item) for item in addresses if item["label"] == "allow"]),
    }


def read(item: dict) -> bool:
    """Whether the guard would let a socket be made: by the address as written, then by what its name resolves to."""
    try:
        checked(item["url"])
    except RefusedAddress:
        return False
    return public(ipaddress.ip_address(ANSWERS.get(item["label"], "93.184.215.14")))
