"""Who may read what was written where, as a truth table over every pair of rooms."""

import itertools

import pytest

from bot.domain.rooms import Person, Room, Scope, readable, room_scope, scope_of, space_scope

ANA = Person(platform="slack", space="T1", person_id="U1", name="Ana")
BEN = Person(platform="slack", space="T1", person_id="U2", name="Ben")
GUEST = Person(platform="slack", space="T9", person_id="U9", name="Guest", external=True)


def room(channel: str, kind: str, space: str = "T1", **more: object) -> Room:
    return Room(platform="slack", space=space, channel=channel, kind=kind, **more)  # type: ignore[arg-type]


ROOMS = {
    "dev": room("C1", "public"),
    "news": room("C2", "public"),
    "board": room("G1", "private"),
    "staff": room("G2", "private"),
    "ana": room("D1", "direct"),
    "ben": room("D2", "direct"),
    "shared": room("C5", "public", external=True),
    "other team": room("C1", "public", space="T2"),
    "group": Room(platform="telegram", channel="-100", kind="private"),
}
WHO_SITS_IN = {"ana": ANA, "ben": BEN, "shared": GUEST}

# Written in (row), read from (column): everything that is not named here is hidden.
SEEN = {
    "dev": {"dev", "news", "board", "staff", "ana", "ben"},
    "news": {"dev", "news", "board", "staff", "ana", "ben"},
    "board": {"board"},
    "staff": {"staff"},
    "ana": {"ana"},
    "ben": {"ben"},
    "shared": {"shared"},
    "other team": {"other team"},
    "group": {"group"},
}


@pytest.mark.parametrize(("written", "read"), list(itertools.product(ROOMS, ROOMS)))
def test_a_memory_is_seen_exactly_where_the_table_says(written: str, read: str) -> None:
    scope = scope_of(ROOMS[written], WHO_SITS_IN.get(written, ANA))
    scopes = readable(ROOMS[read], WHO_SITS_IN.get(read, ANA))
    assert (scope in scopes) == (read in SEEN[written])


def test_a_direct_chat_sees_private_rooms_only_when_membership_was_confirmed() -> None:
    board = room_scope(ROOMS["board"])
    assert board not in readable(ROOMS["ana"], ANA)
    assert board in readable(ROOMS["ana"], ANA, (board,))


def test_a_confirmed_membership_never_widens_a_public_answer() -> None:
    board = room_scope(ROOMS["board"])
    assert board not in readable(ROOMS["dev"], ANA, (board,))


def test_nobody_else_s_direct_chat_can_be_confirmed() -> None:
    bens = scope_of(ROOMS["ben"], BEN)
    assert bens not in readable(ROOMS["ana"], ANA, (bens,))


def test_a_private_reply_in_a_public_channel_sees_one_s_own_but_no_private_room() -> None:
    scopes = readable(ROOMS["dev"], ANA, private_reply=True)
    assert scope_of(ROOMS["ana"], ANA) in scopes
    assert scope_of(ROOMS["ben"], BEN) not in scopes
    assert room_scope(ROOMS["board"]) not in scopes


def test_somebody_from_another_organisation_sees_that_room_only() -> None:
    assert readable(ROOMS["dev"], GUEST) == (room_scope(ROOMS["dev"]),)
    assert space_scope(ROOMS["dev"]) not in readable(ROOMS["ana"], GUEST)


def test_a_thread_shares_its_channel_s_scope() -> None:
    thread = room("G1", "private", thread="17.1")
    assert scope_of(thread, ANA) == scope_of(ROOMS["board"], ANA)
    assert thread.key == ROOMS["board"].key
    assert thread.thread_key != ROOMS["board"].thread_key


def test_a_direct_chat_without_a_space_reads_a_space_only_when_confirmed() -> None:
    person = Person(platform="discord", person_id="7")
    chat = Room(platform="discord", channel="70", kind="direct")
    guild = Scope(kind="space", key="discord/100")
    assert readable(chat, person) == (scope_of(chat, person),)
    assert guild in readable(chat, person, (guild,))
