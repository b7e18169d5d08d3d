"""What every piece of Slack work needs, opened once and handed to all of them."""

from dataclasses import dataclass

import aiohttp

from adapters.downloads import Downloads
from adapters.parts import CommonParts
from adapters.slack.following import Recent, Threads
from adapters.slack.names import Names
from adapters.slack.workspaces import Workspaces


@dataclass(slots=True, kw_only=True)
class Parts(CommonParts):
    """The adapter's parts."""

    workspaces: Workspaces
    names: Names
    recent: Recent
    threads: Threads
    downloads: Downloads
    session: aiohttp.ClientSession
    streams: bool = True
