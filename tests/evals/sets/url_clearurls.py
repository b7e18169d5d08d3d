"""Keys of real addresses: stable, free of tracking parameters, apart for different pages."""

import json
import random
import re
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from bot.domain.links import page_key
from tests.evals.records import records
from tests.evals.scoring import mean

TRIES = 3


async def evaluate(folder: Path, split: str) -> dict:
    # Some items are names of saved files (`hard::x.html`), not addresses.
    real = [item["url"] for item in records(folder / split / "real_urls.jsonl")]
    urls = [url for url in real if url.startswith(("http://", "https://"))]
    trackers = tracking_parameters(folder / "shared")
    random_source = random.Random(7)
    tagged = [
        (url, tag(url, random_source.sample(trackers, random_source.randint(1, 3))))
        for url in urls
        for _ in range(TRIES)
    ]
    singles = [(urls[at % len(urls)], tag(urls[at % len(urls)], [name])) for at, name in enumerate(trackers)]
    keys = [page_key(url) for url in urls]
    return {
        "items": len(urls),
        "idempotent": mean([page_key(key) == key for key in keys]),
        "trackers_gone": mean([page_key(longer) == page_key(url) for url, longer in tagged]),
        "trackers_gone_by_name": mean([page_key(longer) == page_key(url) for url, longer in singles]),
        "kept_apart": mean([keeps_its_page(url, key) for url, key in zip(urls, keys, strict=True)]),
        "keys_shared": len(keys) - len(set(keys)),
    }


def tracking_parameters(shared: Path) -> list[str]:
    """Every plain name of the registry, and one example of each general rule."""
    names = {item["param"] for item in records(shared / "tracking_params_registry.jsonl")}
    rules = json.loads((shared / "clearurls_data.min.json").read_text(encoding="utf-8"))
    for rule in rules["providers"]["globalRules"]["rules"]:
        names.update(examples(rule.removeprefix("(?:%3F)?")))
    return sorted(names)


def examples(rule: str) -> list[str]:
    """One name that the rule matches, where the rule is simple enough to tell."""
    simpler = re.sub(r"\(\?:([a-z]+)(?:\|[a-z]+)+\)", r"\1", rule)
    simpler = re.sub(r"\(\?:_\[a-z_?\]\*\)[?+]?|\(\?:_\[a-z_\]\*\)\?", "_source", simpler)
    simpler = simpler.replace("[a-z_]*", "source").replace("[a-z]?", "").replace("\\", "")
    return [simpler] if re.fullmatch(rule, simpler) else []


def tag(url: str, names: list[str]) -> str:
    """The address as it would be shared with these parameters."""
    address, mark, fragment = url.partition("#")
    pairs = "&".join(f"{name}=x{at}7" for at, name in enumerate(names))
    return f"{address}{'&' if '?' in address else '?'}{pairs}{mark}{fragment}"


def keeps_its_page(url: str, key: str) -> bool:
    """Whether the key holds the address's path and every parameter that is no tracker of Google's kind."""
    wanted, got = urlsplit(url.strip()), urlsplit(key)
    functional = {(name, value) for name, value in parse_qsl(wanted.query) if not name.lower().startswith("utm_")}
    return plain(wanted.path) == plain(got.path) and functional == set(parse_qsl(got.query))


def plain(path: str) -> str:
    """The path without what names no page: a session id, a dot segment and a slash at its end."""
    return re.sub(r";jsessionid=[^/]*|/\.?$", "", unquote(path), flags=re.IGNORECASE).rstrip("/")
