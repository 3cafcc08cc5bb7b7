"""German."""

from __future__ import annotations

from docbats.text.languages.language import Language

_STOP_WORDS = """
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines
dieser diese dieses diesen diesem jener jene jenes jenen jenem derselbe dieselbe dasselbe dieselben
denselben demselben derselben desselben jeder jede jedes jeden jedem mancher manche manches manchen
manchem solcher solche solches solchen solchem welcher welche welches welchen welchem beide beiden
beider beides alle alles allen allem aller einige einigen einiger einiges einigem etliche mehrere
mehreren mehrerer viel viele vielen vieler vieles wenig wenige wenigen weniger wenigstens andere
anderen anderer anderes anderem anders etwas nichts man jemand jemanden jemandem niemand niemanden
selbst selber sämtliche irgend irgendein irgendeine irgendwie irgendwo irgendwann

ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner
deines er ihn ihm sein seine seinen seinem seiner seines sie ihr ihre ihren ihrem ihrer ihres es wir
uns unser unsere unseren unserem unserer unseres unsre euch euer eure euren eurem eurer eures sich
ihnen einander wer wen wem wessen was dessen deren denen

ab an am ans auf aufs aus außer außerhalb bei beim bis durch durchs entlang für fürs gegen gegenüber
hinter in im ins innerhalb mit mittels nach neben ohne per pro samt seit statt anstatt trotz über
übers um ums unter unterhalb oberhalb von vom vor vors während wegen wider zu zum zur zwischen
zufolge gemäß laut je aufgrund anhand infolge bezüglich hinsichtlich einschließlich sowohl

und oder aber denn sondern doch jedoch sowie weder noch entweder dass daß ob wenn falls weil da als
wie obwohl obgleich damit indem nachdem bevor ehe sobald solange sofern soweit sooft sodass also
deshalb deswegen daher darum folglich somit trotzdem dennoch allerdings hingegen dagegen außerdem
zudem überdies ferner nämlich zwar schließlich beziehungsweise bzw

bin bist ist sind seid sei seien war warst waren wart wäre wären wärst gewesen habe hast hat haben
habt hatte hattest hatten hattet hätte hätten hättest gehabt werde wirst wird werden werdet wurde
wurdest wurden wurdet würde würden würdest geworden worden kann kannst können könnt konnte konnten
könnte könnten gekonnt muss muß musst müssen müsst musste mussten müsste müssten soll sollst sollen
sollt sollte sollten will willst wollen wollt wollte wollten darf darfst dürfen dürft durfte durften
dürfte dürften mag magst mögen mögt mochte mochten möchte möchten lassen lässt ließ ließen gibt gab
geben gegeben macht machen machte gemacht geht gehen ging gingen gegangen kommt kommen kam kamen
gekommen steht stehen stand standen liegt liegen lag lagen bleibt bleiben blieb blieben sagt sagen
sagte sagten gesagt tun tut tat getan heißt heißen nimmt nehmen nahm genommen bringt bringen hält
halten stellt stellen findet finden fand sieht sehen sah weiß wissen

nicht nie niemals nein ja auch nur schon erst immer wieder mehr sehr ganz gar so sogar fast kaum
etwa ungefähr genau besonders eher ziemlich recht wohl eben gerade bereits bald dann danach davor
dabei dafür daran darauf daraus darin darüber darunter davon dazu dazwischen hier hierbei hierfür
hierzu dort dorthin dahin daneben hin her hinaus heraus hinein herein hinauf herauf hinunter heute
gestern morgen jetzt nun damals oft oftmals manchmal selten meist meistens häufig gewöhnlich stets
zuerst zunächst zuletzt zuvor vorher nachher später früher inzwischen mittlerweile seitdem zusammen
allein einmal zweimal vielleicht möglicherweise wahrscheinlich sicher bestimmt natürlich tatsächlich
wirklich eigentlich jedenfalls mindestens höchstens insgesamt überall nirgends irgendwohin weg weit
weiter weitere weiteren weiterer weiteres wo wohin woher wann warum weshalb wieso womit wodurch
wofür worauf woran worin worüber wovon wozu wobei dadurch bislang bisher sonst ebenso ebenfalls
genauso gleich gleichzeitig ohnehin zumindest beispielsweise usw etc bzgl ca evtl ggf inkl eins zwei
drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend erste ersten erster erstes
zweite zweiten zweiter dritte dritten dritter letzte letzten letzter nächste nächsten nächster neu
neue neuen neuer neues neuem groß große großen großer großes gut gute guten guter gutes klein kleine
kleinen kleiner kleines eigen eigene eigenen eigener eigenes ganze ganzen ganzer ganzes möglich
wichtig verschieden verschiedene verschiedenen bestimmte bestimmten einzelne einzelnen
"""

LANGUAGE = Language(
    code="de",
    name="German",
    common_words=(
        "der die und das den von zu mit sich des auf für ist im dem nicht ein eine als auch es an "
        "werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so "
        "zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei wenn können ich "
        "wir kann ihre seine wo dieser diese unter keine"
    ),
    special_letters="äöüß",
    abbreviations=(
        "abb abk abs abschn allg anm aufl ausg bd bde bearb begr bes betr bsp bspw bzgl bzw ca "
        "chr co corp d.h dipl dr ebd ehem einschl engl entspr erg etc evtl exkl fa fam ff fig "
        "folg fr frl geb gegr gen ges gesch gest gez ggf ggfs hbf hg hl hptm hr hrn hrsg höchst "
        "i.d.r ing inkl insb jg jh jhd jr jur jährl kap kath kfm lat lfd lic lt ltd maj max med "
        "min mind mio monatl mrd ms nat nr nrn nw o.ä obl od orig phil prof rd red rel rer resp "
        "röm s.o s.u sog spez st std stellv str tel tsd tägl u.a u.u ungef usf usw v.a verf vgl "
        "vol vors vs wiss wöchentl z.b z.t zit zl ztr zust zw zzgl zzt österr"
    ),
    list_endings="etc usw usf",
    has_ordinal_stops=True,
    stop_words=_STOP_WORDS,
    stemmer="german",
    function_word_groups=(
        "ich mich mir mein meine meinen meinem meiner",
        "wir uns unser unsere unseren unserem unserer",
        "du dich dir dein deine euch euer ihr",
        "er ihn ihm sein seine seinen seinem seiner",
        "sie ihre ihren ihrem ihrer",
        "ihnen deren denen",
        "ist sind bin bist hat haben habe wird werden",
        "war waren hatte hatten wurde wurden",
        "kann können konnte könnte muss müssen soll sollte will wollen würde darf dürfen",
    ),
    fillers=(
        "ja jaja nein okay ok ach äh ähm hm mhm naja tja gut also nun und aber oder denn so "
        "doch genau eben halt bitte danke hallo"
    ),
    quotation_marks=("„", "“"),
    continuing_words=(
        "er sie es ihn ihm ihr ihnen sein seine ihre dieser diese dieses diesen diesem jene "
        "solche dies das dabei dadurch dafür dagegen daher damit danach dann daran darauf darin "
        "darum davon dazu deshalb deswegen doch aber und oder jedoch allerdings außerdem zudem "
        "trotzdem dennoch also somit folglich auch denn sondern wenn obwohl hier dort so ebenso "
        "stattdessen"
    ),
    shifting_words="nun heute zunächst betrachten schließlich kommen",
    pointing_words=(
        "dies diese dieser dieses diesem diesen jene jener jenes solche solcher er sie es "
        "ihm ihr ihnen"
    ),
    hesitations="äh ähm öh öhm hm mhm",
    courtesies="dank(?:e|en|eschön)?|vielen dank|guten (?:morgen|tag|abend)|das wort hat",
    section_words=("kapitel teil abschnitt artikel buch band lektion vorlesung akt szene titel"),
    appendix_words="anhang anlage",
    number_words="eins zwei drei vier fünf sechs sieben acht neun zehn",
    reference_titles=(
        "literatur, literaturverzeichnis, quellen, quellenverzeichnis, bibliographie, bibliografie"
    ),
    contents_titles="inhalt, inhaltsverzeichnis",
    caption_words="abbildung abb tabelle tab bild foto quelle",
    vague_nouns=(
        "jahr jahre jahren jahres jahrhundert jahrhunderte tag tage tagen tages woche wochen "
        "monat monate monaten stunde stunden minute minuten sekunde sekunden zeit zeiten uhr mal "
        "male prozent meter metern kilometer kilometern zentimeter gramm kilogramm liter tonnen "
        "grad euro million millionen teil teile teilen art arten fall fälle beispiel beispiele "
        "form formen ende anfang zahl zahlen menge mensch menschen leute seite seiten weg frage "
        "fragen problem probleme grund gründe ort orte stelle stellen morgen abend nacht hälfte "
        "reihe rolle weise datei dateien inhalt inhalte inhalts projekt projekte projekts "
        "information informationen wert werte werten artikel artikels abschnitt abschnitte "
        "kapitel dokument dokumente text texte thema themen punkt punkte sache sachen bereich "
        "bereiche möglichkeit möglichkeiten folge folgen bezug hinweis hinweise maßnahme "
        "maßnahmen satz absatz sinne herren damen dank"
    ),
    capitalizes_nouns=True,
    oblique_endings="en em es er",
    case_endings="n s es",
    honorifics="herr frau herrn dr prof",
    conjunction=" und ",
)
