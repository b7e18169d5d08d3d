"""Bytes that do not say their charset are read as what people most likely wrote."""

import pytest

from adapters.web.charsets import unmarked_utf16
from adapters.web.decoding import decode
from adapters.web.extract import extract_page

WRITTEN = {
    "cp1252": (
        "café crème",
        "mañana",
        "Müller",
        "smörgåsbord",
        "Åben døren",
        "São Paulo",
        "Größe",
        "perché",
        "He said “yes” – it’s fine",
        "The price is £5 — cheap",
        "A naïve résumé: the façade costs €12, and it’s 20° outside – © 2020.",
        "L'œuvre est achevée, ça suffit. Où êtes-vous allés à Noël ?",
        "Það er kalt á Íslandi, og hún fór út í búð.",
    ),
    "mac_roman": ("Voilà déjà l'été à Besançon",),
    "cp850": ("Über die Brücke führt ein schöner Weg, und die Straße ist heiß.",),
    "iso8859-2": ("Zażółć gęślą jaźń", "Příliš žluťoučký kůň", "Köszönöm szépen az őszi erdőt"),
    "cp1250": ("Książka leży na stole", "Češnje so zrele in hiša stoji ob reki."),
    "cp1254": ("İstanbul'da güneşli bir gün",),
    "cp1257": ("Šodien ir skaista diena",),
    "cp1251": ("Привет", "Привет, как дела?", "Добър ден, как сте?", "Сьогодні ми ходили до музею"),
    "koi8-r": ("Сегодня мы ходили в музей",),
    "cp866": ("Сегодня мы ходили в музей",),
    "cp1253": ("Καλημέρα", "Ευχαριστώ πολύ"),
    "cp1255": ("תודה רבה לך",),
    "cp1256": ("شكرا جزيلا لك",),
    "cp874": ("ขอบคุณมากครับ",),
    "gb18030": ("图书馆", "今天我们去了博物馆，看到了很多画。"),
    "big5": ("圖書館", "今天我們去了博物館，看到了很多畫。"),
    "cp932": ("図書館", "こんにちは", "今日は博物館に行って、たくさんの絵を見ました。"),
    "euc_jp": ("今日は博物館に行って、たくさんの絵を見ました。",),
    "iso2022_jp": ("今日は博物館に行って、たくさんの絵を見ました。",),
    "cp949": ("도서관", "안녕하세요", "오늘 우리는 박물관에 가서 많은 그림을 보았습니다."),
    "utf-16-le": ("café crème", "Привет, как дела?", "今天图书馆开放，大家好。\n明天见。"),
    "utf-16-be": ("café crème", "Привет, как дела?"),
}


@pytest.mark.parametrize(("charset", "text"), [(name, text) for name, texts in WRITTEN.items() for text in texts])
def test_a_text_without_a_word_on_its_charset_is_read_as_it_was_written(charset: str, text: str) -> None:
    assert extract_page(text.encode(charset), url="note.txt", name="note.txt").text == text


def test_an_english_text_with_one_foreign_word_keeps_it() -> None:
    text = "The meeting with Zoë is moved to Friday; please bring the report and the numbers of last week."
    assert decode(text.encode("cp1252")) == text


def test_a_declared_charset_comes_before_any_guess() -> None:
    assert decode("Łódź i Kraków".encode("iso8859-2"), charset="iso-8859-2") == "Łódź i Kraków"


def test_utf_8_with_broken_bytes_stays_utf_8() -> None:
    content = ("Größe und Länge, Brücke und Straße, schön und süß, Äpfel und Öl. " * 3).encode() + b"\xff"
    assert decode(content).startswith("Größe und Länge")


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00", b"plain words", bytes(range(256)) * 8, b"\x89PNG\r\n\x1a\n" + bytes(range(0, 256, 5)) * 40],
)
def test_what_is_no_utf_16_is_not_taken_for_it(content: bytes) -> None:
    assert unmarked_utf16(content) == ""
