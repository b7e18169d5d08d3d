"""Read a browser's bookmarks.html (the Netscape format), and Pocket's HTML export, which rhymes with it."""

from collections.abc import Iterator
from html.parser import HTMLParser

from adapters.imports.records import Details, Keeper, Record, bookmark, moment_of

ROOTS = ("personal_toolbar_folder", "unfiled_bookmarks_folder")
"""Attributes of folders that every browser has; their names say nothing about what is in them."""


def read_bookmarks(html: str, keeper: Keeper) -> Iterator[Record]:
    """Yield every bookmark; the folders it lies in become its tags."""
    parser = BookmarkParser(keeper)
    parser.feed(html)
    parser.close()
    parser.finish_entry()
    yield from parser.records


class BookmarkParser(HTMLParser):
    """Follows `<H3>` (a folder's name), `<DL>` (its contents), `<A>` and `<DD>` (a bookmark and its note)."""

    def __init__(self, keeper: Keeper) -> None:
        super().__init__(convert_charrefs=True)
        self.records: list[Record] = []
        self.keeper = keeper
        self.folders: list[str] = []
        self.next_folder = ""
        self.entry: dict[str, str] | None = None
        self.words: list[str] = []
        self.reading = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        match tag:
            case "h3":
                self.finish_entry()
                self.start(tag="" if any(root in given for root in ROOTS) else "h3")
            case "dl":
                self.finish_entry()
                self.folders.append(self.next_folder)
                self.next_folder = ""
            case "a":
                self.finish_entry()
                self.entry = given
                self.start(tag="a")
            case "dd" if self.entry is not None:
                self.start(tag="dd")
            case "dt":
                self.finish_entry()
            case _:
                pass

    def handle_endtag(self, tag: str) -> None:
        match tag:
            case "h3" if self.reading == "h3":
                self.next_folder = self.taken()
            case "a" if self.entry is not None and self.reading == "a":
                self.entry["title"] = self.taken()
            case "dl":
                self.finish_entry()
                if self.folders:
                    self.folders.pop()
            case _:
                pass

    def handle_data(self, data: str) -> None:
        if self.reading:
            self.words.append(data)

    def start(self, *, tag: str) -> None:
        """Read the text of an element from here on."""
        self.reading, self.words = tag, []

    def taken(self) -> str:
        """Return the text read since `start`, on one line."""
        text = " ".join("".join(self.words).split())
        self.reading, self.words = "", []
        return text

    def finish_entry(self) -> None:
        """Record the bookmark that was being read, with the note that followed it."""
        if self.entry is None:
            return
        entry, self.entry = self.entry, None
        note = self.taken() if self.reading == "dd" else ""
        tags = [tag for tag in entry.get("tags", "").split(",") if tag.strip()]
        details = Details(
            title=entry.get("title", ""),
            note=note,
            tags=(*(folder for folder in self.folders if folder), *tags),
            shared_at=moment_of(entry.get("add_date") or entry.get("time_added")),
        )
        self.records.append(bookmark(self.keeper, "bookmarks", entry.get("href", ""), details))
