"""`palace run` on the stand-in for Slack."""

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from tests.fakes.process import page, palace_run
from tests.fakes.slack.server import FakeSlack


def palace_process(
    slack: FakeSlack, home: Path, **more: str
) -> AbstractAsyncContextManager[asyncio.subprocess.Process]:
    """Run until the context closes; connected when it opens."""
    environment = {
        "SLACK_BOT_TOKEN": "xoxb-test",
        "SLACK_APP_TOKEN": "xapp-test",
        "SLACK_API_URL": slack.api_url,
        "PALACE_TRUSTED_HOSTS": slack.base.removeprefix("http://"),
    }
    return palace_run(home, environment | more, ready=lambda: slack.connected(60))


__all__ = ["page", "palace_process"]
