"""What a line of a transcript begins with: a name, a time, or both, as exporters write them.

`read_label` knows the shapes. Whether lines that have one are talk is for `docbats.text.turns` to
say, which looks at all of them together.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

# Names

_MAX_NAME = 40  # characters
_MAX_NAME_WORDS = 4  # without titles, initials and particles
_MAX_TITLED_NAME, _MAX_TITLED_WORDS = 100, 10
_MIN_LOUD = 4  # letters in capitals; fewer are initials
_MAX_ROLE = 80  # characters in brackets after a name
_MAX_NICKNAME = 80  # characters of a name in a chat, whose form shows that it is one
_MAX_LABEL = 160  # characters; a longer one is not looked at
_NOT_IN_NAMES = re.compile(
    r"[?!,;\"“”«»/\\=<>|{}()\[\]@#%+]|\.\.|(?:[^\W\d_][^\W_]|[a-zß-ÿ\d])\.\w"
)
_PARTICLES = frozenset(
    {"de", "da", "del", "della", "di", "do", "dos", "du", "la", "le", "el", "al", "bin", "af"}
    | {"van", "von", "der", "den", "of", "the", "for", "and", "und", "et", "y", "e"}
)
_TITLES_WORDS = (
    "mr mrs ms miss mx sir dame lord lady dr prof professor hon honourable honorable rt "
    "right rev reverend judge justice chief president minister senator representative rep "
    "sen gen col capt lt sgt ratu herr frau abg m mme mlle monsieur madame dott sr sra srta "
    "don doña pan pani member members senators jr phd md qc kc mp esq ii iii iv"
)
_TITLES = frozenset(_TITLES_WORDS.split())
# Before a colon, these are not speakers, alone or with a number, however often they recur.
_NOT_SPEAKERS_WORDS = (
    "note notes tip tips hint warning caution important attention remark comment todo fixme "
    "nb ps example examples exercise definition theorem proof lemma problem solution result "
    "results question answer q a input output usage syntax default type types returns return "
    "raises parameters parameter arguments args option options value values key keys step "
    "steps stage phase part chapter section figure fig table appendix page line item rule "
    "case added changed fixed removed deprecated security new bugfix bugfixes feature "
    "features fix feat chore docs refactor perf test tests build ci breaking improved updated "
    "bug bugs name names title titles address phone telephone tel fax mobile email e-mail "
    "mail web website url link links port log path file server street town city country "
    "source sources author authors editor publisher published isbn issn doi year date dates "
    "time times day days month duration start end begin from to cc bcc subject sent received "
    "re fwd message-id reply-to location venue place room price prices cost costs total "
    "subtotal amount quantity size weight height width length colour color status state "
    "version release id number no category categories tag tags keywords topic topics summary "
    "abstract overview description details background introduction conclusion context purpose "
    "goal goals aim objective scope requirements prerequisites see also references "
    "ingredients ingredient method directions instructions preparation prep cook cooking "
    "serves servings yield makes oven equipment plural singular synonym synonyms antonym "
    "antonyms etymology noun verb adjective adverb origin pronunciation meaning meanings "
    "error errors info debug warn trace fatal critical notice verbose panic pro pros con cons "
    "advantages disadvantages strengths weaknesses risk risks action actions decision "
    "decisions resolution resolved agenda attendees present absent apologies minutes poll "
    "vote votes owner assignee due priority deadline frage antwort hinweis beispiel achtung "
    "quelle datum uhrzeit ort preis nota ejemplo pregunta respuesta fecha hora lugar remarque "
    "exemple réponse lieu prix uwaga przykład pytanie odpowiedź вопрос ответ пример "
    "примечание opmerking voorbeeld vraag antwoord esempio domanda risposta exemplo pergunta "
    "resposta break jingle music applause laughter crosstalk intro outro format files "
    "copyright license licence contact homepage pass fail skip passed failed skipped ok xfail "
    "unsupported untested eksempel bemærk filename column good bad better worse before after "
    "correct incorrect wrong importance advice why how what when where"
)
_NOT_SPEAKERS = frozenset(_NOT_SPEAKERS_WORDS.split())
_TESTIMONY = re.compile(r"(?:[QA])(?:[.:]\s|\s{2,}|\t)\s*(?=\S)")
_EMPHASIS = "*_"
_UNSEEN = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
BEFORE_LABEL = _EMPHASIS + _UNSEEN

# Times

_WORD_START = re.compile(r"[^\W\d_]+")
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"(?:Jan|Feb|Mar|Mär|Apr|May|Mai|Jun|Jul|Aug|Sep|Sept|Oct|Okt|Nov|Dec|Dez)"
    r"(?:[a-zé]{1,8}(?=[ ,.]))?\.?"
)
_DATE = (
    r"(?:\d{1,4}(?:\.\ ?|/|-)\d{1,2}(?:\.\ ?|/|-)\d{1,4}\.?"
    rf"|\d{{1,2}}\.?[\ -]{_MONTH}[\ ,-]{{1,2}}\d{{2,4}}"
    rf"|{_MONTH}\ \d{{1,2}}(?:st|nd|rd|th)?,?\ \d{{4}}"
    r"|(?:Today|Yesterday|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day))"
)
# "am" in lower case may be a word of what is said.
_HALF = r"(?:[\ \u202f\xa0]?([AP]\.?M\b\.?|[ap]\.?m\b\.?(?=[\ \t]*(?:[-–—:,|\])*_]|$))))?"
_CLOCK = rf"(-?\d{{1,3}}):([0-5]\d)(?::([0-5]\d))?(?:[.,](\d{{1,6}}))?{_HALF}"
_MOMENT = rf"(?:({_DATE})(?:,?\ (?:at\ |um\ |à\ |[-–]\ )?|T|,|\ ?[-–]\ ?))?{_CLOCK}"
_ZONE = r"(?:\ ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)\b)?"
_STAMP = re.compile(rf"[\[(]?{_MOMENT}{_ZONE}[\])]?(?![\w:/.]|-\d)", re.VERBOSE)
_STAMP_AT_END = re.compile(
    rf"(?:[\ \t]+[-–—•·|][\ \t]*|,[\ \t]*|[\ \t]+)?(?<!\w)[\[(]?{_MOMENT}[\])]?:?[*_]*$",
    re.VERBOSE,
)
_CUE = re.compile(
    r"\[?(-?(?:\d{1,4}:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?)[ \t]*-{1,2}>[ \t]*"
    r"(-?(?:\d{1,4}:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?)\]?"
)
_CUE_SETTINGS = re.compile(r"[ \t]+(?:(?:align|line|position|size|vertical|region):\S+[ \t]*)+$")
SPOKEN_TIME = re.compile(r"\d{1,3} (?:hour|minute|second)s?(?:,? \d{1,2} (?:minute|second)s?)*")
_SEPARATOR = re.compile(r"[ \t]*(?:[-–—:,|•~]|\\\])?[ \t]*")
_NICK = re.compile(r"(?:<[\s@+%&~!]?([^<>\s]{1,80})>|\*[ \t](\S{1,80})(?=[ \t]))[ \t]*")
_NICK_AND_TAB = re.compile(r"([^\s:<>]{1,40})\t")
_ZOOM = re.compile(r"From[ \t]+([^:\n]{1,80}?)(?:[ \t]+[tT]o[ \t]+([^:\n]{1,80}?))?[ \t]*:[ \t]*")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*+)?[ \t]++([^<>\n]{1,200})>")
_COLON = re.compile(r"[:：]")
_BRACKET = re.compile(r"[ \t]*[(\[]([^()\[\]]{1,80})[)\]]$")
_TIME_IN_BRACKETS = re.compile(r"[(\[]\d{1,2}:\d\d(?::\d\d)?[)\]]")
_NAME_DASH = re.compile(r"\.[ \t]?(?:[-–—]{1,2})(?=[ \t]|$)")
_NAME_STOP = re.compile(
    r"((?:Mr|Mrs|Ms|Miss|Dr|Hon)\. (?:[A-Z][\w'’-]+ ){0,2}[A-Z][A-Zc'’-]{2,30}"
    r"(?: of [A-Z][a-z]+(?: [A-Z][a-z]+)?)?|The (?:[A-Z]{4,20} ?){1,4}(?: pro tempore)?)"
    r"\. (?=[A-Z\"“])"
)
_TIME_ENDS = frozenset("0123456789)]:mM.")
_CODE_SIGN = re.compile(r"[/\\=(){}<>]")
_PHONE = re.compile(r"\+?\d[\d\s()-]{5,20}")
_DAY = 86400.0
_ORDERS = ((2, 1, 0), (2, 0, 1), (0, 1, 2))  # of year, month and day among the numbers of a date
_MIN_DAY_SHARE = 0.1  # of the times in a chat have a date, or "AM" or "PM"


class Moment(NamedTuple):
    """A time as written: its date, the two or three numbers of its clock, and "a" or "p"."""

    date: str | None
    first: int
    second: int
    third: int | None
    fraction: float
    half: str | None


class Label(NamedTuple):
    """What a line begins with: who speaks, from when to when.

    Attributes
    ----------
    length, bare
        How many characters it has with the white space after it, and how many without the name.
    name, nickname
        The speaker; a nickname may be anything, and counts if it recurs.
    nick_length
        The length with the nickname.
    begins, ends
        The times as written.
    is_day
        Whether its form is that of a chat, whose times are those of the day.
    is_sure
        Whether the name can hardly be anything else.
    is_line
        Whether it is at the end of its line: if the nickname is none, there is no label.
    is_testimony
        Whether the name is the "Q" or "A" of a court.
    """

    length: int
    bare: int
    name: str | None = None
    begins: Moment | None = None
    ends: Moment | None = None
    nickname: str | None = None
    nick_length: int = 0
    is_day: bool = False
    is_sure: bool = False
    is_line: bool = False
    is_testimony: bool = False


def is_name(text: str) -> bool:
    """Whether a text looks like the name of a speaker: a few words with capitals.

    >>> is_name("Erik St. Martin"), is_name("DR. VAN DYKE"), is_name("As they say")
    (True, True, False)
    >>> is_name("Right Hon. First M. Surname")
    True
    """
    words = text.split()
    if not words or len(words) > _MAX_TITLED_WORDS or len(text) > _MAX_TITLED_NAME:
        return False
    if len(words) > 1 and words[-1].strip(".").lower() in _TITLES and words[-2].endswith(","):
        words[-2] = words[-2][:-1]  # "Anna Lee, Jr."
    first = words[0][0]
    is_title = [word.strip(".").lower() in _TITLES for word in words]
    if not first.isalpha() or first.islower() or _NOT_IN_NAMES.search(" ".join(words)):
        return False
    if words[-1].islower() and not is_title[-1]:
        return False
    others = [
        word
        for word, titled in zip(words, is_title, strict=True)
        if not titled and word.lower() not in _PARTICLES and not _is_initial(word)
    ]
    if any(word[0].islower() for word in others):
        return False
    is_short = len(" ".join(others)) <= _MAX_NAME and len(others) <= _MAX_NAME_WORDS
    return is_short and (len(text) <= _MAX_NAME or any(is_title) or len(others) < len(words))


def may_be_nickname(text: str) -> bool:
    """Whether a text that occurs once may be a name in a chat: one word, a number, a name.

    >>> may_be_nickname("bob_b"), may_be_nickname("Lee, Anna"), may_be_nickname("See you")
    (True, True, False)
    """
    bare = [word for word in text.split() if any(map(str.isalnum, word))]  # without pictures
    if len(bare) == 1:
        return not (text.endswith((".", "!", "?", ",")) or _CODE_SIGN.search(text))
    last, comma, first = text.partition(", ")
    flipped = f"{first} {last}" if comma and "," not in first else " ".join(bare)
    return _PHONE.fullmatch(text) is not None or is_name(flipped)


def _is_initial(word: str) -> bool:
    return len(word) <= 4 and word.isupper() and word.endswith(".")


def _is_sure(name: str, role: str | None) -> bool:
    """Whether a name is surely one: it has a title, a role, or is in capitals."""
    words = name.split()
    has_title = len(words) > 1 and any(word.strip(".").lower() in _TITLES for word in words)
    is_loud = name.isupper() and len(name) >= _MIN_LOUD
    return has_title or is_loud or bool(role)


def read_label(line: str, offset: int = 0) -> Label | None:
    """Return the label with which a line begins from `offset` on; None if it has none.

    >>> label = read_label("[00:01:05] Anna Lee: Where are they?")
    >>> label.name, label.begins.second, label.length
    ('Anna Lee', 1, 21)
    """
    text = line[: offset + _MAX_LABEL]
    lead = offset
    while lead < len(text) and text[lead] in BEFORE_LABEL:
        lead += 1
    if lead == len(text):
        return None  # a line of asterisks
    sign = text[lead]
    label = None
    if sign in "[(-" or sign.isdecimal() or text.startswith(("Today", "Yesterday"), lead):
        label = _after_time(text, lead)
    if label is None and not sign.isdecimal():
        label = _first_of(_BEFORE_SPEECH, text, lead, whole=len(text) == len(line))
    if label is None or label.name is None:
        return label
    # A name may be enclosed by marks; what follows a time may be in italics.
    length = label.length
    while length < len(line) and (line[length] in BEFORE_LABEL or line[length].isspace()):
        length += 1
    return label._replace(length=length)


def _first_of(
    shapes: Iterable[Callable[[str, int], Label | None]], text: str, at: int, *, whole: bool
) -> Label | None:
    """Return the label by the first of these shapes that fits; some are those of whole lines."""
    for shape in shapes if at < len(text) else ():
        label = shape(text, at) if whole or shape not in _OF_LINES else None
        if label is not None:
            return label
    return None


def _after_time(text: str, lead: int) -> Label | None:
    """Return a label that begins with a time, and may go on with a name."""
    ends = None
    if cue := _CUE.match(text, lead):
        begins, ends = _cue_moment(cue[1]), _cue_moment(cue[2])
        settings = _CUE_SETTINGS.match(text, cue.end())
        at = settings.end() if settings else cue.end()
    elif stamp := _STAMP.match(text, lead):
        begins, at = _moment(stamp), stamp.end()
    else:
        return None
    separator = _SEPARATOR.match(text, at)
    at = separator.end() if separator else at
    after = at
    if text.startswith("*** ", at):
        return Label(at, at, begins=begins, ends=ends)  # a note of the program
    while (
        after < len(text)
        and text[after] in BEFORE_LABEL
        and text[after : after + 2] not in {"* ", "*\t"}
    ):
        after += 1
    if _STAMP.match(text, after):
        return None  # the entry of a timetable, which ends at another time
    who = _first_of(_AFTER_TIME, text, after, whole=True) or Label(at, at)
    is_chat = begins.date is not None or begins.half is not None
    if who.is_line and who.nickname and not (is_chat or is_name(who.nickname)):
        who = Label(at, at)
    return who._replace(bare=at, begins=begins, ends=ends, is_line=False)


def _nick(text: str, at: int) -> Label | None:
    """Return the name of "<anna> text", as in IRC, and of "* anna waves"."""
    found = _NICK.match(text, at)
    return Label(found.end(), at, found[1] or found[2], is_day=True) if found else None


def _nick_before_tab(text: str, at: int) -> Label | None:
    """Return the name between two tabs, as in the logs of WeeChat."""
    found = _NICK_AND_TAB.match(text, at) if text[at - 1 : at] == "\t" else None
    name = (found[1].lstrip("@+%&~!") or found[1]) if found else None
    return Label(found.end(), at, name, is_day=True) if found else None


def _lone_nick(text: str, at: int) -> Label | None:
    """Return the name of "<anna> text" where there are no times."""
    found = _NICK.match(text, at) if text[at] == "<" else None
    is_apart = found is not None and text[found.end() - 1 : found.end()].isspace()
    return _nick(text, at) if is_apart else None


def _zoom(text: str, at: int) -> Label | None:
    """Return the name of "From Anna Lee to Everyone: text", as in the chat of Zoom."""
    found = _ZOOM.match(text, at)
    return Label(found.end(), at, found[1], is_sure=True) if found else None


def voice_label(text: str, at: int = 0) -> Label | None:
    """Return the name of "<v Anna Lee>text", as in WebVTT."""
    found = _VOICE.match(text, at)
    return Label(found.end(), at, found[1].strip(), is_sure=True) if found else None


def _nickname_before_colon(text: str, at: int) -> Label | None:
    """Return what is between a time and a colon, as in WhatsApp."""
    colon = _label_colon(text, at, _MAX_NICKNAME)
    if colon is None:
        return None
    nickname = text[at : colon.start()].strip(BEFORE_LABEL + " \t~")
    length = colon.end() + len(text[colon.end() :]) - len(text[colon.end() :].lstrip())
    return Label(at, at, nickname=nickname, nick_length=length)


def _nickname_in_line(text: str, at: int) -> Label | None:
    """Return what follows a time, as in a log of Discord: a name, if it recurs."""
    nickname = text[at:].strip(BEFORE_LABEL + " \t")
    if not nickname or len(nickname) > _MAX_NICKNAME:
        return None
    return Label(at, at, nickname=nickname, nick_length=len(text), is_line=True)


def _name_with_time(text: str, at: int) -> Label | None:
    """Return the name and the time of a line above what is said: "Anna Lee, [12.03.24 09:15]"."""
    end = text.rstrip(BEFORE_LABEL)[-1:]
    stamp = _STAMP_AT_END.search(text, at + 1) if end.isdecimal() or end in ")]:mM." else None
    name = text[at : stamp.start()].strip(BEFORE_LABEL + " \t:") if stamp else ""
    if stamp is None or not name or len(name) > _MAX_NICKNAME or ":" in name:
        return None
    moment = _moment(stamp)
    role = _BRACKET.search(name)
    if is_name(name[: role.start()] if role else name):
        return Label(len(text), at, name, moment, is_sure=True)
    label = Label(at, at, begins=moment, nickname=name, nick_length=len(text), is_line=True)
    return label if moment.date or moment.half or may_be_nickname(name) else None


def name_before_colon(text: str, at: int) -> Label | None:
    """Return the name of "Dr. Anna Lee (Chair): text", with a time beside it if there is one."""
    colon = _label_colon(text, at, _MAX_TITLED_NAME + _MAX_ROLE)
    if colon is None:
        return None
    name = text[at : colon.start()].strip(BEFORE_LABEL + " \t")
    moment, end = None, colon.end()
    later = _STAMP_AT_END.search(name) if name[-1:] in _TIME_ENDS else None
    if later is not None and later.start() > 0:
        moment, name = _moment(later), name[: later.start()]
    name = name.rstrip(" \t-–—,").rstrip(BEFORE_LABEL)
    bare, role = name, None
    while (bracket := _BRACKET.search(bare)) and len(name) - bracket.start() <= _MAX_ROLE:
        bare, role = bare[: bracket.start()], bracket[1]
    if end == len(text):
        bare = bare.removesuffix(" said")  # of ChatGPT, above what is said
    if not is_name(bare) or _is_field(bare):
        return None
    name = name if role or bare == name else bare
    if moment is None:  # "Speaker 1: (00:12)"
        after = end + len(text[end:]) - len(text[end:].lstrip(BEFORE_LABEL + " \t"))
        stamp = _STAMP.match(text, after) if text[after : after + 1] in {"(", "["} else None
        if stamp is not None:
            moment, end = _moment(stamp), stamp.end()
    name = name.removeprefix("BY ")  # the examiner in a court
    return Label(end, at, name, moment, is_sure=moment is not None or _is_sure(bare, role))


def _testimony(text: str, at: int) -> Label | None:
    """Return the "Q." and "A." of a court."""
    found = _TESTIMONY.match(text, at)
    return Label(found.end(), at, text[at], is_testimony=True) if found else None


def _name_and_time(text: str, at: int) -> Label | None:
    """Return the name and time of "Anna Lee (17:19) - text"."""
    found = _TIME_IN_BRACKETS.search(text, at) if ":" in text else None
    if found is None:
        return None
    name = text[at : found.start()].strip(BEFORE_LABEL + " \t")
    role = _BRACKET.search(name)
    if not is_name(name[: role.start()] if role else name):
        return None
    stamp = _STAMP.match(text, found.start())
    separator = _SEPARATOR.match(text, found.end())
    length = separator.end() if separator else found.end()
    return Label(length, at, name, _moment(stamp), is_sure=True) if stamp else None


def _name_before_dash(text: str, at: int) -> Label | None:
    """Return the name of "HON. A. LEE.- text", as in the debates of some parliaments."""
    if text.isascii() and "-" not in text:
        return None
    dash = _NAME_DASH.search(text, at, at + _MAX_TITLED_NAME)
    name = text[at : dash.start()].strip(BEFORE_LABEL) if dash else ""
    if dash is None or not is_name(name) or not _is_sure(name, None):
        return None
    return Label(dash.end(), at, name, is_sure=True)


def _name_before_stop(text: str, at: int) -> Label | None:
    """Return the name of "Mr. SMITH of Ohio. Text", as in the Congressional Record."""
    found = _NAME_STOP.match(text, at) if text[at] in "MDHT" else None
    return Label(found.end(1) + 1, at, found[1], is_sure=True) if found else None


_AFTER_TIME = (
    _nick, _nick_before_tab, _zoom, voice_label, name_before_colon, _nickname_before_colon,
    _nickname_in_line,
)  # fmt: skip
_BEFORE_SPEECH = (
    _name_with_time, voice_label, _lone_nick, name_before_colon, _testimony, _name_and_time,
    _name_before_dash, _name_before_stop,
)  # fmt: skip
"""The shapes of labels, in the order in which they are tried."""
_OF_LINES = frozenset({_name_with_time})


def _label_colon(text: str, start: int, longest: int) -> re.Match[str] | None:
    """Return the first colon that is followed by white space, an end or a mark."""
    colon = _COLON.search(text, start, start + longest)
    while colon is not None:
        following = text[colon.end() : colon.end() + 1]
        if not following or following.isspace() or following in BEFORE_LABEL or colon[0] == "：":
            return colon
        if not (following.isdecimal() and text[colon.start() - 1 : colon.start()].isdecimal()):
            return None
        colon = _COLON.search(text, colon.end(), start + longest)
    return None


def _is_field(name: str) -> bool:
    """Whether a word before a colon is the name of a field, a remark or a step."""
    words = [word.strip(".") for word in name.lower().split()]
    return not _NOT_SPEAKERS.isdisjoint(words) and all(
        word in _NOT_SPEAKERS or word in _PARTICLES or not any(map(str.isalpha, word))
        for word in words
    )


def _moment(stamp: re.Match[str]) -> Moment:
    date, first, second, third, fraction, half = stamp.groups()
    return Moment(
        date,
        int(first),
        int(second),
        None if third is None else int(third),
        int(fraction) / 10 ** len(fraction) if fraction else 0.0,
        half[0].lower() if half else None,
    )


def _cue_moment(written: str) -> Moment:
    """Return a time of a cue, whose last number is seconds."""
    whole, _, fraction = written.replace(",", ".").partition(".")
    numbers = [int(number) for number in whole.lstrip("-").split(":")]
    hours, minutes, seconds = [0, *numbers][-3:]
    part = int(fraction) / 10 ** len(fraction) if fraction else 0.0
    if written[0] == "-":
        hours, minutes, seconds, part = 0, 0, 0, 0.0
    return Moment(None, hours, minutes, seconds, part, None)


def has_times_of_day(labels: Iterable[Label]) -> bool:
    """Whether times are those of a day, as in a chat, rather than of a recording.

    A single date is that of the recording.
    """
    timed = [label for label in labels if label.begins is not None]
    n_of_day = sum(
        label.is_day or bool(label.begins and (label.begins.date or label.begins.half))
        for label in timed
    )
    return n_of_day >= max(min(2, len(timed)), _MIN_DAY_SHARE * len(timed), 1)


def seconds_of(labels: Mapping[int, Label]) -> dict[int, tuple[float, float | None]]:
    """Return the seconds of times; for those of a day, from midnight before the first of them."""
    times = [label.begins for label in labels.values() if label.begins is not None]
    is_day = has_times_of_day(labels.values())
    days = _days([time.date for time in times if time.date])
    seconds: dict[int, tuple[float, float | None]] = {}
    half: str | None = None
    day, last = 0.0, 0.0
    for i, label in labels.items():
        time = label.begins
        if time is None:
            continue
        half = time.half or half
        begins = _clock_seconds(time, is_day=is_day, half=half)
        if time.date:
            day = days[time.date] * _DAY
        elif is_day and begins + day < last - _DAY / 2:
            day += _DAY  # past midnight
        last = begins + day
        ends = None if label.ends is None else _clock_seconds(label.ends, is_day=False, half=None)
        seconds[i] = last, ends if ends is None else max(last, ends)
    return seconds


def _clock_seconds(time: Moment, *, is_day: bool, half: str | None) -> float:
    if time.third is not None or is_day:
        hours, minutes, seconds = time.first, time.second, time.third or 0
    else:
        hours, minutes, seconds = 0, time.first, time.second
    if half and hours <= 12:
        hours = hours % 12 + 12 * (half == "p")
    return max(0.0, hours * 3600.0 + minutes * 60 + seconds + time.fraction)


def _days(dates: Sequence[str]) -> dict[str, int]:
    """Return how many days after the first each date is; in the order of its numbers that fits.

    Dates that cannot be read, such as "Yesterday", follow each other.
    """
    distinct = list(dict.fromkeys(dates))
    read = [_read_date(date) for date in distinct]
    best = dict(zip(distinct, range(len(distinct)), strict=True))
    least: tuple[int, int] | None = None
    orders = _ORDERS[:1] if any(map(str.isalpha, "".join(distinct))) else _ORDERS
    for order in orders:
        days = [None if numbers is None else _ordinal(numbers, order) for numbers in read]
        known = [day for day in days if day is not None]
        if len(known) < len(days) or not known:
            continue
        n_back = sum(b < a for a, b in pairwise(known))
        found = n_back, max(known) - min(known)
        if least is None or found < least:
            least, first = found, known[0]
            best = {date: day - first for date, day in zip(distinct, known, strict=True)}
    return best


def _read_date(date: str) -> tuple[int, int, int] | None:
    """Return the three numbers of a date, with that of a month by its name in the middle."""
    numbers = [int(number) for number in re.findall(r"\d+", date)]
    if len(numbers) == 3:
        return numbers[0], numbers[1], numbers[2]
    name = re.search(r"[^\W\d_]{3}", date)
    key = name[0].lower() if name else ""
    key = {"mär": "mar", "mai": "may", "okt": "oct", "dez": "dec"}.get(key, key)
    if len(numbers) == 2 and key in _MONTHS:
        return numbers[0], _MONTHS.index(key) + 1, numbers[1]
    return None


def _ordinal(numbers: tuple[int, int, int], order: tuple[int, int, int]) -> int | None:
    from datetime import date

    year, month, day = (numbers[place] for place in order)
    try:
        return date(year + 2000 * (year < 100), month, day).toordinal()
    except ValueError:
        return None
