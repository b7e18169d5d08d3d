"""Write one reply by editing it: newest text wins, paced, split into parts, and the last text always arrives."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from adapters.drafting import Shown, Step, Wanted, drafts_of, next_step
from adapters.outlet import Draft, MaybeSent, MessageGone, Outlet, RetryLater, TooLong, Undeliverable, Written
from adapters.pacing import Call, Timing
from adapters.splitting import Splitter
from adapters.wording import answer_buttons, answer_text, waiting_text
from bot.domain.answers import Answer
from bot.domain.replies import Button, Notice, Sign

_LOG = logging.getLogger(__name__)

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
SIGN_PATIENCE_S = 90.0
FIND_TRIES = 12
SHRINK = 0.8
SMALLEST_LIMIT = 200
TRIES = 40
"""Failures of one reply in a row before it is given up: about half an hour of a platform that is down."""


class EditedReply:
    """A `bot.ports.Reply` over an outlet."""

    def __init__(
        self,
        outlet: Outlet,
        *,
        key: str,
        remember: Callable[[str], Awaitable[None]] | None = None,
        remembered: str = "",
        timing: Timing | None = None,
    ) -> None:
        self.key = key
        self._outlet = outlet
        self._remember = remember
        self._timing = timing or Timing()
        self._known = Written.read(remembered)
        self._shown: list[Shown] = [(reference, None) for reference in self._known.references]
        self._past: tuple[str, ...] = ()
        self._posts = len(self._shown)
        self._status_shown = ""
        self._limit = outlet.limit
        self._splitter = Splitter(limit=self._limit, measure=outlet.measure)
        self._wanted: Wanted | None = None
        self._hurry = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._quiet = False
        self._failures = 0
        self._stopped = False

    @property
    def stopped(self) -> bool:
        return self._stopped

    @property
    def done(self) -> bool:
        """Whether a former process has delivered the final text already."""
        return self._known.done

    def stop(self) -> None:
        """End the answer: the person asked for it."""
        self._stopped = True

    @property
    def unfinished(self) -> bool:
        """Whether something is shown that no final text has replaced."""
        return self._wanted is not None

    async def status(self, text: str) -> None:
        if self._wanted is None or (self._outlet.live and self._wanted.stage == "status"):
            self._want(Wanted(text=text, stage="status", buttons=self._stop_button()))

    async def wait(self, place: int) -> None:
        """Show the place in the queue; 1 is next."""
        await self.status(waiting_text(place))

    async def show(self, text_so_far: str) -> None:
        if not self._outlet.live or self._stopped:
            return
        if text_so_far.strip() and not self._final:
            self._want(Wanted(text=text_so_far, stage="live", buttons=self._stop_button()))

    async def finish(self, answer: Answer) -> None:
        await self._settle(Wanted(text=answer_text(answer), stage="final", buttons=answer_buttons(answer)), done=True)

    async def fail(self, reason: str) -> None:
        await self._settle(Wanted(text=reason, stage="final", kind="text"), done=True)

    async def say(self, notice: Notice) -> None:
        wanted = Wanted(text=notice.text, stage="final", buttons=notice.buttons, kind=notice.kind)
        await self._settle(wanted, done=False)

    async def mark(self, sign: Sign) -> None:
        """Put a sign; it is a courtesy, so it waits for its turn only so long, and "seen" not at all."""
        give_up = self._timing.now() + (0.0 if sign == "seen" else SIGN_PATIENCE_S)
        while True:
            try:
                await self._outlet.mark(sign)
            except RetryLater as error:
                if self._timing.now() >= give_up:
                    return
                await self._timing.sleep(error.seconds or FIRST_WAIT_S)
                continue
            except Undeliverable as error:
                _LOG.info("No sign can be put here: %s", error)
            return

    async def close(self) -> None:
        """Stop writing at once: the process ends, or there was nothing to say."""
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.wait((self._writer,))

    def _stop_button(self) -> tuple[Button, ...]:
        return (Button(name="stop", target=self.key, label="Stop"),)

    def _want(self, wanted: Wanted) -> None:
        self._wanted = wanted
        if wanted.stage == "final":
            self._hurry.set()
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())

    async def _settle(self, wanted: Wanted, *, done: bool) -> None:
        """Wait until a final text has arrived, then be ready for a next message."""
        self._quiet = False
        self._want(wanted)
        assert self._writer is not None  # noqa: S101 - set by _want just now
        try:
            await self._writer
        except asyncio.CancelledError:
            self._writer.cancel()
            raise
        self._wanted = None
        self._hurry.clear()
        self._past += tuple(reference for reference, _ in self._shown)
        self._shown = []
        await self._note(done=done)
        self._splitter = Splitter(limit=self._limit, measure=self._outlet.measure)

    async def _write(self) -> None:
        """Make one call after the other, each towards what is newest by then, until nothing is left to do."""
        await self._settle_pending()
        while (step := self._next_step()) is not None:
            if not await self._turn(step.call):
                continue
            async with self._outlet.pace.in_flight:
                step = self._next_step()
                if step is not None and self._outlet.pace.delay(step.call, final=self._final) <= 0:
                    self._outlet.pace.count(step.call, final=self._final)
                    await self._try(step)

    @property
    def _final(self) -> bool:
        return self._wanted is not None and self._wanted.stage == "final"

    async def _turn(self, call: Call) -> bool:
        """Wait for this destination's turn; False when something has changed meanwhile and it is worth a look."""
        delay = self._outlet.pace.delay(call, final=self._final)
        if delay <= 0:
            return True
        if self._final:
            await self._timing.sleep(delay)
            return False
        pause = asyncio.ensure_future(self._timing.sleep(delay))
        hurry = asyncio.ensure_future(self._hurry.wait())
        try:
            await asyncio.wait((pause, hurry), return_when=asyncio.FIRST_COMPLETED)
        finally:
            pause.cancel()
            hurry.cancel()
        return False

    def _next_step(self) -> Step | None:
        wanted = self._wanted
        if wanted is None or (self._quiet and wanted.stage != "final"):
            return None
        if wanted.stage == "status" and self._outlet.status_apart:
            draft = Draft(markdown=wanted.text, stage="status", key=self.key)
            return Step(call="status", draft=draft) if wanted.text != self._status_shown else None
        return next_step(self._shown, drafts_of(wanted, self._splitter, key=f"{self.key}-{self._posts}"))

    async def _try(self, step: Step) -> None:
        """Make one call, and turn what may go wrong into what to do next."""
        try:
            await self._call(step)
            self._failures = 0
        except RetryLater as error:
            self._known = replace(self._known, pending="")
            self._wait_longer(step, error.seconds)
        except MaybeSent:
            await self._look_for(step)
        except MessageGone:
            self._lost(step.number)
        except TooLong:
            self._shrink()
        except Undeliverable as error:
            _LOG.warning("A reply cannot be delivered: %s", error)
            self._wanted = None
            self._quiet = True
        except Exception:  # noqa: BLE001 - the library's own surprises must not lose the text
            _LOG.exception("A call for a reply went wrong")
            self._wait_longer(step, None)

    async def _call(self, step: Step) -> None:
        match step.call:
            case "status":
                await self._outlet.status(step.draft.markdown)
                self._status_shown = step.draft.markdown
            case "post":
                await self._note(pending=step.draft.key)
                reference = await self._outlet.post(step.draft)
                await self._posted(reference, step.draft)
            case "edit":
                reference, _ = self._shown[step.number]
                replaced = await self._outlet.edit(reference, step.draft)
                self._shown[step.number] = (reference if replaced is None else replaced, step.draft)
                await self._note()
            case "delete":
                reference, _ = self._shown[step.number]
                await self._outlet.delete(reference)
                self._shown.pop()
                await self._note()

    async def _posted(self, reference: str, draft: Draft | None) -> None:
        self._shown.append((reference, draft))
        self._posts += 1
        await self._note()

    def _wait_longer(self, step: Step, seconds: float | None) -> None:
        self._failures += 1
        if self._failures >= TRIES:
            _LOG.error("A reply is given up after %s failures in a row", TRIES)
            self._wanted = None
        elif seconds is not None:
            self._outlet.pace.cool_off(step.call, seconds)
        else:
            self._outlet.pace.hold(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (self._failures - 1)))

    async def _look_for(self, step: Step) -> None:
        """Find out whether a post arrived; where nobody can say, believe it of a final text only."""
        reference = await self._find(step.draft.key)
        if reference:
            await self._posted(reference, step.draft)
        elif step.draft.stage == "final":
            await self._posted("", step.draft)
        else:
            self._quiet = True

    async def _settle_pending(self) -> None:
        """After a restart: take up a message whose post was under way when the process ended."""
        if self._known.pending:
            reference = await self._find(self._known.pending)
            if reference:
                await self._posted(reference, None)
            self._known = replace(self._known, pending="")

    async def _find(self, key: str) -> str | None:
        """Look for a post, as long as the platform makes us wait for it: a second message would be worse."""
        for _ in range(FIND_TRIES):
            try:
                return await self._outlet.find(key)
            except RetryLater as error:
                await self._timing.sleep(error.seconds or FIRST_WAIT_S)
            except (MaybeSent, MessageGone, Undeliverable):
                return None
        return None

    def _shrink(self) -> None:
        """Split again for a platform that counts otherwise than it says; a text is never given up for its length."""
        self._limit = max(SMALLEST_LIMIT, int(self._limit * SHRINK))
        self._splitter = Splitter(limit=self._limit, measure=self._outlet.measure)
        self._failures += 1
        if self._failures >= TRIES:
            self._wanted = None

    def _lost(self, number: int) -> None:
        """Somebody deleted our message: stay silent until the final text, which is then posted anew."""
        del self._shown[number:]
        self._quiet = True

    async def _note(self, *, pending: str = "", done: bool = False) -> None:
        """Remember what a restart has to know."""
        references = (*self._past, *(reference for reference, _ in self._shown))
        known = Written(references=references, pending=pending, done=done)
        if self._remember is not None and known != self._known:
            await self._remember(known.written())
        self._known = known
