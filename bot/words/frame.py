"""What must be sayable in every language; the braces are filled in by whoever says it."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.answers import StepName


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Every sentence of the bot in one language."""

    # What is going on, and what went wrong
    steps: Mapping[StepName, str]
    waking: str
    saving: str
    reading: str
    unexpected: str

    # A memory in a line
    readers: Mapping[str, str]
    """Who can read what is kept in a scope, by the scope's kind."""
    reasons: Mapping[str, str]
    """Why something could not be read, by reason."""
    waiting: str
    link_only: str
    file_only: str
    failed: str
    untitled: str
    by: str
    where: str
    when: str
    day: str
    months: tuple[str, ...]
    memory: tuple[str, str]
    """One, and several."""

    # Saving and taking back
    saved: str
    saved_pocket: str
    saved_already: str
    known: str
    note_added: str
    tags_fit: str
    nothing_to_save: str
    broken_address: str
    taken_back: str
    taken_back_note: str
    taken_back_before: str
    nothing_to_take_back: str
    not_yours_to_take_back: str
    undo: str
    edit: str
    retry: str

    # Forgetting
    forget_what: str
    nothing_matches: str
    will_forget: str
    and_more: str
    and_conversation: str
    go_on: str
    forget: str
    keep: str
    kept: str
    nothing_to_confirm: str
    nothing_asked: str
    too_long_ago: str
    forgotten: str
    nothing_forgotten: str
    still_found: str
    none_found: str
    conversation_gone: str

    # Commands
    unknown_command: str
    did_you_mean: str
    unknown_button: str
    help_lead: str
    help_one: str
    helps: Mapping[str, str]
    """What each command does, by its name."""
    example: str
    switches: Mapping[str, str]
    recall_is: str
    recall_set: str
    watch_is: str
    watch_set: str
    watch_refused: str
    status: str

    # Pockets
    pocket_none: str
    pocket_is: str
    pockets_here: str
    no_pockets: str
    pocket_left: str
    pocket_chosen: str
    pocket_renamed: str
    pocket_unknown: str
    pocket_name: str

    # Finding, showing and changing memories
    search_what: str
    nothing_found: str
    time_unknown: str
    more: str
    facts: Mapping[str, str]
    shared_times: tuple[str, str]
    ready: str
    changed_since: str
    which: str
    no_such_id: str
    no_such: str
    several: str
    edit_what: str
    tag_what: str
    changed: str
    pinned: str
    unpinned: str
    nothing_to_retry: str
    not_yours: str

    # Answers and votes
    ask_what: str
    voted_up: str
    voted_down: str
    vote_undo: str
    not_shared: str
    no_votes: str
    which_vote: str
    vote_undone: str
    no_vote: str
    no_answer: str
    other_room: str
