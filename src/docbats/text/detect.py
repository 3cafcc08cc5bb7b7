"""Which language a text is in: by its script, and by the commonest words of each language."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from docbats.text.languages import LANGUAGES, load_language

COMMON_WORDS = {
    "sv": """
        och att det som en på är av för med den till inte om har de ett han jag men var från kan
        när så vi man eller hade under efter ska också sig hon blir där vid sin nu mycket
    """,
    "da": """
        og i at det er en til af den som på de med der ikke et for han har var fra men jeg kan sig
        eller ved om så efter også blev bliver skal hvor når over nu meget
    """,
    "no": """
        og i det er på som en til av for at med de den ikke har et var om seg fra men kan hun jeg
        han så eller etter ble blir også skal ved mot hvor når
    """,
    "is": "og að í á er sem til það um við en ekki með var hann af fyrir eru ég því frá",
    "ca": """
        de la i el a que en els per les del un amb una es al va no és dels com més ha són però
        seva aquest aquesta molt també entre o tot fins pot
    """,
    "gl": """
        de a o que e do da en un para é non unha os no na máis as dos como pero foi ao polo pola
        moi tamén ou ata unhas dunha nunha eu
    """,
    "ro": """
        de și în a la cu pe o nu care din un pentru este se mai că sunt ce prin au fost fi dar sau
        lui ca după sa între acest această foarte
    """,
    "cs": """
        a v se na je že s z do o i to jako k ve pro po by jsou ale od jeho při které který nebo
        tak už když jen bylo byl byla která není také může
    """,
    "sk": """
        a v sa na je že s z do o i to ako k vo pre po by sú ale od jeho pri ktoré ktorý alebo tak
        už keď len bolo bol bola ktorá nie aj môže
    """,
    "hr": """
        i u je se na da su za od s kao o koji što iz ne bi koja te ili po do ali sam nije kako
        koje bio ima samo može
    """,
    "sl": """
        in je v na se da za so z ki pa s o po ne od kot tudi bi iz ali ni pri do še lahko biti bil
        bila
    """,
    "hu": """
        a az és hogy nem is egy ez van de meg csak volt mint azt már vagy ki el még kell minden
        lehet után ha
    """,
    "fi": """
        ja on ei että se oli hän joka mutta myös kun tai ovat sen ole kuin niin mukaan jos voi
        sitä tämä
    """,
    "et": "ja on ei et see oli mis ta kui ka oma aga või ning siis seda ma nii selle kes",
    "tr": """
        ve bir bu da de için ile çok olarak daha olan gibi ne kadar sonra en ki değil var o her
        ise olduğu veya
    """,
    "id": """
        yang dan di dengan untuk dari dalam ini itu tidak pada adalah ke akan juga oleh atau
        sebagai dapat ada
    """,
    "vi": "và của là các có trong được cho không một với những người này khi để đã từ về như",
    "lt": "ir yra kad į su iš tai kaip bet ar buvo per po už jo dėl tik jau būti nuo",
    "lv": "un ir ar no uz par kas bet arī tas bija kā lai vai pēc līdz kad var",
    "la": "et in est non ad cum ut quod qui sed ex si quae ab esse per aut atque autem",
    "af": "die en van het is in wat nie om te vir met op ook hy as dat sy aan deur word was",
    "eo": "la de kaj en estas ne por al ke kun li sed pri kiu kiel ĝi oni aŭ tiu",
    "uk": """
        і в не на що з у як це до та за від але його для був по є або ще також які який яка вона
        вони бути може при про
    """,
    "be": "і ў не на што з у як гэта да за ад але яго для быў па або яшчэ таксама які",
    "bg": """
        на и да се в за от е са с не че като по до при или той което която това както но има беше
        го ще
    """,
    "sr": """
        и у је се на да су за од са као о који што из не би која те или по до али није како које
    """,
    "mk": "на и да се во за од е со не што како тој или по до но има беше го ќе",
}

SPECIAL_LETTERS = {
    "sv": "åäö",
    "da": "æøå",
    "no": "æøå",
    "is": "áðéíóúýþæö",
    "ca": "àéèíïòóúüç",
    "gl": "áéíóúñ",
    "ro": "ăâîșțşţ",
    "cs": "áčďéěíňóřšťúůýž",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "hr": "čćđšž",
    "sl": "čšž",
    "hu": "áéíóöőúüű",
    "fi": "äö",
    "et": "äöõü",
    "tr": "çğıöşü",
    "vi": "ăâđêôơưàáảãạấầẩẫậắằẳẵặèéẻẽẹếềểễệìíỉĩịòóỏõọốồổỗộớờởỡợùúủũụứừửữựỳýỷỹỵ",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "eo": "ĉĝĥĵŝŭ",
    "uk": "іїєґ",
    "be": "іўэы",
    "bg": "ъщ",
    "sr": "јљњћђџ",
    "mk": "јљњќѓѕџ",
}


_WORD = re.compile(r"[^\W\d_]+")
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa]+")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_CYRILLIC = re.compile("[\u0400-\u052f]+")
_LATIN = re.compile("[a-z\u00c0-\u024f\u1e00-\u1eff]+")
_SPECIAL_LETTER = re.compile(r"[^\W\d_a-zа-шьюя]")
_OTHER_LETTER = re.compile(r"[^\W\d_a-z\u00c0-\u024f\u1e00-\u1eff]+")

_N_PIECES, _PIECE_SIZE = 10, 200  # a longer text is judged by this many pieces of this length
_MIN_KANA_SHARE = 0.1  # of the characters of a Japanese text are kana; Chinese has none
_LETTERS_PER_CHARACTER = 2.5  # of an alphabet, that say as much as one of Chinese or Japanese
_MIN_COMMON_SHARE = 0.08  # of the words are common ones in any prose
_MAX_WORD_SHARE = 0.05  # of the words, that the same word counts for at most
_MAX_SPECIAL_RATE = 0.1  # letters per word that English does not have
_MIN_TELLING_WORDS = 25  # a text with fewer may well lack common ones


@dataclass(frozen=True)
class DetectedLanguage:
    """The language of a text.

    Attributes
    ----------
    code
        One of :data:`docbats.text.languages.LANGUAGES`, or None for any other language.
    is_doubtful
        Whether the text is long enough to tell, and does not.
    """

    code: str | None
    is_doubtful: bool = False


def detect_language(text: str) -> DetectedLanguage:
    """Return the language of most of a text; English if its words do not tell.

    >>> detect_language("Die Fledermaus hört, was sie nicht sehen kann.").code
    'de'
    """
    sample = _sample(text).lower()
    by_script = None if sample.isascii() else _detect_by_script(sample)
    return _detect_by_words(sample) if by_script is None else by_script


def _sample(text: str) -> str:
    """Return pieces spread evenly over a long text."""
    if len(text) <= _N_PIECES * _PIECE_SIZE:
        return text
    step = (len(text) - _PIECE_SIZE) / (_N_PIECES - 1)
    starts = [int(i * step) for i in range(_N_PIECES)]
    return " ".join(text[start : start + _PIECE_SIZE] for start in starts)


def _detect_by_script(sample: str) -> DetectedLanguage | None:
    """Detect a language with its own script; None leaves it to the words."""
    other = _count(_OTHER_LETTER, sample)
    if not other:
        return None
    kana, han = _count(_KANA, sample), _count(_HAN, sample)
    alphabetic = _count(_LATIN, sample)
    other -= kana + han
    if _LETTERS_PER_CHARACTER * (kana + han) > alphabetic + other:
        has_kana = kana > _MIN_KANA_SHARE * (kana + han)
        return DetectedLanguage("ja" if has_kana else "zh")
    cyrillic = _count(_CYRILLIC, sample)
    if other - cyrillic > max(alphabetic, cyrillic):
        return DetectedLanguage(None)
    return None


def _count(characters: re.Pattern[str], sample: str) -> int:
    """Count characters, which the pattern takes in runs."""
    return sum(map(len, characters.findall(sample)))


def _detect_by_words(sample: str) -> DetectedLanguage:
    """Return the language with the most common words and special letters.

    Where hardly any are found it is Russian or English by its script, unless it has other letters.
    """
    languages_of = _languages_of_signs()
    words = _WORD.findall(sample)
    letters = [] if sample.isascii() else _SPECIAL_LETTER.findall(sample)
    hits = dict.fromkeys(_signs_of_languages(), 0)
    uses = Counter(words + letters)
    most = max(1, int(_MAX_WORD_SHARE * len(words)))
    for sign in uses.keys() & languages_of.keys():
        for language in languages_of[sign]:
            hits[language] += min(uses[sign], most)
    best = max(hits, key=hits.__getitem__)
    if hits[best] >= max(2, _MIN_COMMON_SHARE * len(words)):
        return DetectedLanguage(best if best in LANGUAGES else None)
    is_long = len(words) >= _MIN_TELLING_WORDS
    if _count(_CYRILLIC, sample) > _count(_LATIN, sample):
        return DetectedLanguage("ru", is_doubtful=is_long)
    if is_long and len(letters) > _MAX_SPECIAL_RATE * len(words):
        return DetectedLanguage(None)
    return DetectedLanguage("en", is_doubtful=is_long)


@cache
def _signs_of_languages() -> dict[str, frozenset[str]]:
    """Return the common words and special letters of each language, ours first."""
    signs: dict[str, frozenset[str]] = {}
    for code in LANGUAGES:
        language = load_language(code)
        signs[code] = language.common_words.union(language.special_letters)
    for code, words in COMMON_WORDS.items():
        signs.setdefault(code, frozenset([*words.split(), *SPECIAL_LETTERS.get(code, "")]))
    return signs


@cache
def _languages_of_signs() -> dict[str, list[str]]:
    """Return the languages of each common word and of each special letter."""
    languages: dict[str, list[str]] = {}
    for code, signs in _signs_of_languages().items():
        for sign in signs:
            languages.setdefault(sign, []).append(code)
    return languages
