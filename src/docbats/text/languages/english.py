"""English."""

from __future__ import annotations

from docbats.text.languages.language import Language

_STOP_WORDS = """
a an the this that these those each every either neither both all any some no none such same other
others another several few fewer many much more most less least enough own

i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it
its itself we us our ours ourselves they them their theirs themselves one ones oneself
who whom whose which what whoever whatever whichever someone somebody something anyone anybody
anything everyone everybody everything nobody nothing

about above across after against along alongside among amongst around as at before behind below
beneath beside besides between beyond by despite down during except for from in inside into like
near of off on onto out outside over past per regarding since through throughout till to toward
towards under underneath unlike until up upon versus via with within without

and but or nor so yet if unless although though because while whereas whether than lest once
however therefore thus hence moreover furthermore nevertheless nonetheless otherwise instead
meanwhile indeed accordingly consequently

am is are was were be been being isn't aren't wasn't weren't ain't
have has had having haven't hasn't hadn't
do does did done doing don't doesn't didn't
can could may might must shall should will would ought need needn't
can't cannot couldn't mayn't mightn't mustn't shan't shouldn't won't wouldn't oughtn't
i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll
we're we've we'd we'll they're they've they'd they'll there'd there'll that'd that'll
who'd who'll who're who've what're what'll let's y'all
n't 'm 've 'd 'll 're ve ll re don didn doesn isn aren wasn weren hasn haven hadn
couldn shouldn wouldn mustn gonna gotta wanna

not never ever always often sometimes usually seldom rarely already still again also too just only
even very quite rather really almost nearly perhaps maybe else here there where when why how
wherever whenever elsewhere somewhere anywhere everywhere nowhere now then soon later
away back forth together apart ago hardly barely merely simply especially particularly
certainly probably possibly actually basically generally

say says said saying get gets got gotten getting go goes went gone going come comes came coming
make makes made making take takes took taken taking give gives gave given giving
put puts let lets seem seems seemed become becomes became keep keeps kept
see sees saw seen know knows knew known think thinks thought want wants wanted use uses used using
thing things way ways lot lots kind sort bit

first second third last next two three four five six seven eight nine ten hundred thousand
yes okay ok oh ah uh um well please mr mrs ms dr etc eg ie vs et al
able upto amid anyhow anyway whereby wherein thereby therein thereof hereby
"""

_BACKWARD_WORDS = """
he him his she her hers it its they them their theirs this that these those such same both neither
either another others one some many most few several here there then now

accordingly additionally also although and again as because besides but consequently conversely
finally first firstly furthermore hence however indeed instead lastly likewise meanwhile moreover
nevertheless next nonetheless nor or otherwise rather second secondly similarly so still third
thirdly though thus therefore unlike whereas while yet yes no well oh okay ok
"""

_VAGUE_NOUNS = """
age amount answer answers bottom case cases difference end ends evening example examples fact facts
form forms group groups half idea ideas level levels line man men middle morning name night number
numbers order part parts people person place places point points problem problems question
questions reason reasons rest result results season sense set sets side sides term terms today
tomorrow top type types use woman women word words yesterday

stuff guy guys folks matter matters issue issues lots couple bunch mess
yeah hmm mm hoc nice kinds sorts thanks respect eh ah tah dah hey wow cuz

chapter fig figure figures isbn note notes page pages pp references section table vol

april august december february january july june march may november october september
friday monday saturday sunday thursday tuesday wednesday
"""

_ROLE_WORDS = """
acting deputy vice honourable honorable honour honor right hon distinguished excellency majesty
esteemed dear dearest learned lordship ladyship
mr mrs ms miss mister sir madam madame monsieur mademoiselle lord lady dr prof professor rev
chair chairman chairwoman chairperson speaker president vice-president minister ministers prime
member members audience attendee attendees moderator presenter interviewer interviewee panelist
senator representative delegate gentleman gentlemen ladies colleague colleagues transcriber scribe
"""

_MEASURE_NOUNS = """
second seconds minute minutes hour hours day days week weeks weekend month months year years decade
decades century centuries time times morning afternoon evening night nights
metre metres meter meters kilometre kilometres kilometer kilometers mile miles foot feet inch inches
gram grams kilogram kilograms tonne tonnes pound pounds litre litres degree degrees
cent cents percent dollar dollars euro euros million billion dozen dozens hundreds thousands
mm cm km kg mg ml kb mb gb tb kbps mbps hz khz mhz ghz kw kwh mw px ms ns usd eur gbp
"""

_VAGUE_ADJECTIVES = """
actual additional bad big certain clear common complex crucial current different difficult easy
entire essential exact extra final following former full further general good great honorable
honourable huge important interesting key large larger largest main major minor necessary new nice
notable numerous obvious old original overall particular possible present previous primary real
recent relevant right separate serious significant similar simple single small smaller special
specific sure total true typical unique useful usual various whole wide wrong
"""

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TENS = ("twenty", "thirty", "forty", "fifty")

LANGUAGE = Language(
    code="en",
    name="English",
    common_words=(
        "the of and to in is that it for was on are as with his they at be this from have or by "
        "had not but what all were when we there can an your which their said if will each about "
        "how up out them then she many some so these would other into has more her two him see "
        "than been its who did my over you he i where after also because between does only such "
        "through"
    ),
    has_punkt_model=True,
    closing_marks=frozenset(".?!:;\"”'’)]…"),
    clause_words=(
        "and or nor but yet so because although though while whereas which who when where if "
        "unless until since that after before"
    ),
    stop_words=_STOP_WORDS,
    stemmer="english",
    has_tagger=True,
    function_word_groups=(
        "i me my mine myself",
        "we us our ours ourselves",
        "you your yours yourself",
        "he him his himself",
        "she her hers herself",
        "they them their theirs themselves",
        "is are am be being been has have",
        "was were had did",
        "will shall would could should may might can must",
    ),
    fillers=(
        "yeah yes yep yup okay ok oh ah uh um er hm hmm mm mmm mhm huh well so now then and but "
        "or because right alright kay dunno like anyway actually basically no nope please thanks "
        "also hello hi hey wow gosh thank good morning afternoon evening welcome everyone "
        "everybody maybe"
    ),
    continuing_words=(
        "he she it they him her them his hers its their theirs this these those that such but and "
        "or yet however therefore thus moreover also nor indeed furthermore instead hence "
        "consequently similarly likewise because which who otherwise nevertheless nonetheless "
        "then if for so though although"
    ),
    shifting_words="now let let's today next suppose consider okay finally",
    backward_words=_BACKWARD_WORDS,
    pointing_words=(
        "this these those such either neither former latter above he she it they him her "
        "them his hers its their theirs latter same"
    ),
    hesitations="uh um er erm hm hmm mm mmm mhm huh uh-huh mm-hmm yeah yep yup okay ok kay dunno",
    courtesies=(
        r"thanks(?! to\b)|thank (?:you|him|her|them|the|my|our|everyone|everybody|all)|"
        r"good (?:morning|afternoon|evening)|welcome,? (?:back|everyone|everybody|all|to)|"
        r"(?:over|back) to you|(?:yield|give|pass|hand)(?:ing)? (?:you )?(?:the|my) floor|"
        r"i (?:now |will )?(?:call (?:up)?on|yield|welcome (?:all|you|every))|"
        r"(?:next|any|further) questions?|(?:we|let us)(?: will|'ll|’ll)? skip"
    ),
    section_words=(
        "chapter part section article book volume lesson lecture act scene title clause unit "
        "schedule module rule"
    ),
    appendix_words="appendix annex",
    number_words=(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty first second third fourth fifth "
        + " ".join(f"{ten}{joint}{one}" for ten in _TENS for joint in ("", "-") for one in _ONES)
    ),
    reference_titles=(
        "references, bibliography, works cited, literature, literature cited, further reading, "
        "sources, notes and references, references and notes"
    ),
    contents_titles=(
        "contents, table of contents, toc, on this page, in this article, page contents"
    ),
    caption_words="figure fig table listing plate photo image source",
    vague_nouns=_VAGUE_NOUNS + _MEASURE_NOUNS,
    role_words=_ROLE_WORDS,
    measure_nouns=_MEASURE_NOUNS,
    vague_adjectives=_VAGUE_ADJECTIVES,
    phrase_prepositions="of for to",
    phrase_articles="the",
    # A text that the tagger makes nothing of may be in any language.
    has_untagged_phrases=False,
    honorifics="mr mrs ms miss mister dr prof sir madam madame lord lady rev hon",
    conjunction=" and ",
)

STOP_WORDS = LANGUAGE.stop_words
"""The stop words of English, a frozenset."""
