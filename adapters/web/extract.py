"""Turn the bytes of a page or a file into readable Markdown with its title, author, date, site and language."""

from bot.domain.errors import Unreadable
from bot.domain.memories import Page


def extract_page(content: bytes, *, url: str, media_type: str = "", charset: str = "", name: str = "") -> Page:
    """Read bytes into a Page. Pure, synchronous and picklable: meant for a process pool.

    `media_type` and `charset` are what the server said (they may lie), `name` is a file's own name.
    Raises Unreadable with its reason, never anything else.
    """
    del charset, name
    if not content.strip():
        raise Unreadable("The page is empty.", reason="empty")
    import trafilatura  # noqa: PLC0415 - slow import

    found = trafilatura.bare_extraction(content, url=url or None, with_metadata=True, include_comments=False)
    text = trafilatura.extract(
        content, url=url or None, output_format="markdown", include_comments=False, include_formatting=True
    )
    if found is None or not text:
        raise Unreadable("There is no readable text on this page.", reason="empty")
    return Page(
        url=url,
        text=text,
        title=found.title or "",
        author=found.author or "",
        site=found.sitename or "",
        published=found.date or "",
        description=found.description or "",
        media_type=media_type,
    )
