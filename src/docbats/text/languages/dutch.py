"""Dutch."""

from __future__ import annotations

from docbats.text.languages.language import Language

_STOP_WORDS = """
de het een één geen deze dit die dat zulke zulk zo'n ieder iedere elk elke alle alles al beide
enkele enige sommige verschillende verscheidene vele veel weinig meer meest meeste minder minst
ander andere anderen anders zelfde hetzelfde dezelfde zelf eigen iets niets iemand niemand iedereen
men ene

ik mij me mijn jij je jou jouw u uw hij hem zijn zij ze haar wij we ons onze jullie hen hun zich
zichzelf elkaar elkaars wie wiens wat welke welk wier

aan achter af behalve beneden bij binnen boven buiten door gedurende in jegens langs met na naar
naast nabij om omtrent onder ondanks op over per rond rondom sedert sinds te tegen tegenover ten ter
tijdens tot tussen uit van vanaf vanuit vanwege via volgens voor voorbij vlakbij wegens zonder

en of maar want dus noch doch dan als toen terwijl omdat doordat zodat zodra hoewel ofschoon tenzij
mits indien wanneer voordat nadat totdat opdat daarom daardoor daarna daarvoor daarmee daarbij
daarin daarop daarover daaruit daarvan daaraan daarnaast daarentegen echter toch immers namelijk
bovendien verder trouwens evenwel niettemin desondanks zowel alsook bijvoorbeeld ofwel hetzij

ben bent is was waren geweest wees heb hebt heeft hebben had hadden gehad word wordt worden werd
werden geworden kan kun kunt kunnen kon konden gekund moet moeten moest moesten mag mogen mocht
mochten zal zul zult zullen zou zouden wil wilt willen wilde wilden ga gaat gaan ging gingen gegaan
kom komt komen kwam kwamen gekomen doe doet doen deed deden gedaan maak maakt maken maakte maakten
gemaakt laat laten liet lieten gelaten geef geeft geven gaf gaven gegeven neem neemt nemen nam namen
genomen zeg zegt zeggen zei zeiden gezegd zie ziet zien zag zagen gezien weet weten wist staat staan
stond stonden ligt liggen lag lagen blijft blijven bleef bleven houdt houden hield krijgt krijgen
kreeg brengt brengen vindt vinden vond lijkt lijken blijkt blijken zit zitten zat gebruikt gebruiken
hoeft hoeven heet heten stelt stellen

niet nooit nee ja ook nog alleen slechts wel zelfs zeer heel erg zo vrij bijna haast nauwelijks
ongeveer ruim juist net vooral eerder liever graag altijd vaak soms zelden meestal steeds weer
opnieuw reeds nu straks later vroeger eerst vandaag gisteren morgen binnenkort tegenwoordig intussen
ondertussen hier daar er ergens nergens overal waar waarheen hierbij hierdoor hiermee hierin hiervan
hiervoor hierop waarbij waardoor waarmee waarin waarop waaruit waarvan waarvoor waarom hoe hoeveel
misschien waarschijnlijk wellicht natuurlijk eigenlijk gewoon samen bovenaan onderaan terug weg heen
ver goed beter best slecht zoals evenals zoveel zover telkens uiteindelijk eindelijk vervolgens
tevens eveneens inderdaad ongetwijfeld minste hooguit etc enz keer keren ding dingen manier soort
geval

twee drie vier vijf zes zeven acht negen tien elf twaalf twintig honderd duizend eerste tweede derde
laatste volgende vorige groot grote groter grootste klein kleine kleiner nieuw nieuwe goede hele
gehele mogelijk mogelijke belangrijk belangrijke bepaalde zogenaamde
"""

LANGUAGE = Language(
    code="nl",
    name="Dutch",
    common_words=(
        "de van een het en in is dat op te zijn met voor die niet aan er om ook als dan maar bij "
        "uit was naar door hij over zich tot nog wordt worden hebben ze ik heeft je kan meer deze "
        "of wel had dit geen al werd kunnen zo moet wat onder veel hun haar nu na tegen zij wij "
        "waar omdat twee"
    ),
    special_letters="ëïé",
    abbreviations=(
        "a.s a.u.b afb afd afk afz apr aug bijv blz burg bv bw ca cf dec dhr dr drs ds e.a e.d "
        "e.o ed enz etc evt excl fa feb fig geb gem gen hfst i.p.v i.v.m inc incl ing ir j.l jan "
        "jhr jl jr kapt kol lt m.a.w m.b.t m.b.v maj max mej mevr min mr mrt mw n.a.v nl nov nr "
        "nrs o.a o.i.d o.l.v okt ong p p.a pag par pl plm prof resp sept sr st t.a.v t.o.v t.w "
        "tel v.a vb vgl vol vs z.g zgn zn"
    ),
    list_endings="etc enz",
    stop_words=_STOP_WORDS,
    stemmer="dutch",
    function_word_groups=(
        "ik mij me mijn",
        "wij we ons onze",
        "jij je jou jouw u uw jullie",
        "hij hem",
        "zij haar",
        "ze hen hun",
        "is ben bent heeft hebben wordt worden",
        "was waren had hadden werd werden",
        "kan kunnen kon zou zouden moet moeten mag mogen zal zullen wil willen",
    ),
    fillers=("ja nee nou oké ok ah och eh uh hm dus en maar of want toch goed nu bedankt hallo"),
    continuing_words=(
        "hij zij ze het hem haar hen hun deze dit die dat zulke maar en of want dus toch echter "
        "daarom daardoor daarna daarbij daarmee daarin daarop daarvan daarvoor daarnaast dan toen "
        "ook bovendien verder er zo hierdoor hierbij hiermee hiervoor hier daar als omdat hoewel "
        "niettemin desondanks"
    ),
    shifting_words="nu vandaag laten tegenwoordig stel tenslotte",
    pointing_words="dit deze die zulke hij zij ze het hem haar hun hen",
    hesitations="eh uh uhm ehm",
    courtesies="bedankt|dank (?:u|je|jullie)|hartelijk dank|goede?(?:morgen|middag|avond)|welkom",
    section_words=(
        "hoofdstuk deel sectie paragraaf artikel boek les college akte scène titel afdeling"
    ),
    appendix_words="bijlage",
    reference_titles="referenties, literatuur, literatuurlijst, bibliografie, bronnen",
    contents_titles="inhoud, inhoudsopgave",
    caption_words="figuur fig afbeelding tabel foto bron",
    vague_nouns=(
        "jaar jaren dag dagen week weken maand maanden uur uren minuut minuten seconde seconden "
        "eeuw eeuwen tijd tijden meter meters kilometer kilometers centimeter gram kilo kilogram "
        "liter ton graden graad euro miljoen procent deel delen gevallen voorbeeld voorbeelden "
        "vorm vormen einde begin aantal aantallen hoeveelheid mens mensen man vrouw kant kanten "
        "vraag vragen probleem problemen reden redenen plaats plaatsen plek ochtend avond nacht "
        "helft reeks rol rest wijze bestand bestanden inhoud project projecten informatie waarde "
        "waarden artikel artikelen sectie hoofdstuk document documenten tekst teksten thema punt "
        "punten onderwerp gebied mogelijkheid mogelijkheden stap stappen zaak zaken manier keer "
        "dank heren"
    ),
    honorifics="dhr mevr mw dr prof heer mevrouw",
    articles="de het een 't",
    noun_markers="de het een 't deze dit die dat zijn haar hun ons onze elk elke geen",
    verb_endings="en",
    conjunction=" en ",
)
