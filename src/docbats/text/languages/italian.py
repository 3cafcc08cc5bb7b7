"""Italian."""

from __future__ import annotations

from docbats.text.languages.language import Language

_STOP_WORDS = """
il lo la i gli le un uno una al allo alla ai agli alle del dello della dei degli delle dal dallo
dalla dai dagli dalle nel nello nella nei negli nelle sul sullo sulla sui sugli sulle col coi questo
questa questi queste quello quella quelli quelle quel quei quegli codesto stesso stessa stessi
stesse mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra
vostri vostre loro tutto tutta tutti tutte ogni ognuno ognuna ciascun ciascuno ciascuna qualche
qualcuno qualcosa qualsiasi qualunque alcun alcuno alcuna alcuni alcune nessun nessuno nessuna altro
altra altri altre altrui tale tali tanto tanta tanti tante molto molta molti molte poco poca pochi
poche parecchio parecchi parecchie troppo troppa vari varie diverso diversa diversi diverse certo
certa certi certe proprio propria propri proprie entrambi entrambe medesimo ambedue

io me mi tu te ti egli ella esso essa essi esse lui lei noi ci voi vi si sé li ne chi che cui quale
quali ciò niente nulla ce ve se glielo

a ad con contro da di davanti dentro dietro dopo durante entro fino fra fuori in intorno lungo
mediante nonostante oltre per presso prima secondo senza sopra sotto su tra tramite verso via
attraverso accanto vicino lontano circa causa grazie rispetto insieme

e ed o od oppure ma però né anche neanche nemmeno neppure perché poiché siccome come quando dove
mentre benché sebbene affinché finché purché dunque quindi perciò pertanto infatti tuttavia eppure
anzi inoltre cioè ossia ovvero invece così allora pure bensì

sono sei è siamo siete ero eri era eravamo eravate erano fui fosti fu fummo furono sarò sarà saremo
saranno sarei sarebbe sarebbero sia siano fosse fossero essendo stato stata stati state essere ho
hai ha abbiamo avete hanno avevo aveva avevamo avevano ebbe ebbero avrò avrà avranno avrei avrebbe
avrebbero abbia abbiano avesse avessero avendo avuto avere faccio fai fa facciamo fate fanno faceva
facevano fece fecero farà faranno farebbe faccia fare fatto facendo posso puoi può possiamo potete
possono poteva potevano poté potrà potranno potrebbe potrebbero possa possano potere potuto devo
devi deve dobbiamo dovete devono doveva dovevano dovrà dovranno dovrebbe dovrebbero debba dovere
dovuto voglio vuoi vuole vogliamo volete vogliono voleva volevano vorrebbe volere vado va andiamo
vanno andava andò andrà andare andato viene vengono veniva venne verrà venire venuto dice dicono
diceva disse dire detto dà danno dava diede dare dato sta stanno stava stare so sa sanno sapere vede
vedono vedere visto resta restano rimane rimangono mette mettono mettere messo tiene tengono prende
prendono prendere preso porta portano portare trova trovano trovare sembra sembrano diventa
diventano diventare permette permettono usa usano usare utilizza utilizzare lascia

non no sì più meno assai abbastanza quasi appena solo soltanto solamente ancora già sempre mai
spesso talvolta raramente ora adesso oggi ieri domani subito presto tardi poi qui qua lì là quaggiù
lassù dappertutto ovunque bene male meglio peggio forse magari davvero soprattutto particolarmente
generalmente solitamente normalmente principalmente semplicemente attualmente infine finalmente
ormai quanto quanti quanta quante ecco eccetera ecc volta volte cosa cose modo maniera caso esempio
tipo

primo primi prime seconda terzo terza ultimo ultima ultimi ultime prossimo prossima due tre quattro
cinque sette otto nove dieci undici dodici venti cento mille grande grandi gran piccolo piccola
piccoli piccole nuovo nuova nuovi nuove buon buono buona buoni buone unico unica possibile possibili
importante importanti
"""

LANGUAGE = Language(
    code="it",
    name="Italian",
    common_words=(
        "di e il la che in a per un è del non una con si della sono da le dei i al come gli ha "
        "più lo nel alla anche dal o delle ma nella su se tra suo cui questo essere ai stato sua "
        "dell degli dalla questa quando fra anni due ed nei sul molto può c l loro io mi alle "
        "hanno era prima dopo ogni così d all sulla nell dall"
    ),
    special_letters="àèéìòù",
    abbreviations=(
        "a.c ago apr arch artt avv c.d ca capp cd cfr co cod d.c dic dott dott.ssa dr ecc ed es "
        "etc f.lli febbr fig figg gen genn gent geom giu ibid id ing jr lett lug magg max min "
        "mons n nn nov nr op ott p p.es pag pagg pp pres prof prof.ssa proff rag ref s sec seg "
        "segg sen sett sez sg sgg sig sig.na sig.ra sig.ri sigg soc st tab tel ten trad v vd vol "
        "voll vs"
    ),
    list_endings="etc ecc",
    elisions=(
        "l d c s m t v n un dell all dall nell sull coll quell quest sant bell tutt mezz dov com "
        "cos anch nessun qualcun ciascun alcun gl pover senz"
    ),
    stop_words=_STOP_WORDS,
    stemmer="italian",
    function_word_groups=(
        "io me mi mio mia miei mie",
        "noi ci nostro nostra nostri nostre",
        "tu te ti voi vi tuo tua vostro",
        "egli lui esso",
        "ella lei essa",
        "essi loro esse",
        "è sono ha hanno sta stanno",
        "era erano aveva avevano fu furono",
        "può possono potrebbe deve devono dovrebbe sarà saranno sarebbe",
    ),
    fillers=("sì no beh bene ah oh eh ehm allora dunque e ed o ma ok insomma cioè grazie ecco ora"),
    continuing_words=(
        "egli ella esso essa essi lui lei loro suo sua suoi sue questo questa questi queste "
        "quello quella quelli ciò ma e ed o però anche inoltre così allora quindi dunque perciò "
        "pertanto infatti tuttavia eppure poi invece se perché poiché mentre lì qui ne vi ci tale "
        "tali"
    ),
    shifting_words="oggi ora adesso vediamo passiamo consideriamo supponiamo infine",
    pointing_words=(
        "questo questa questi queste ciò tale tali egli ella esso essa essi esse lui lei loro"
    ),
    hesitations="ehm eh uhm",
    courtesies="grazie|buon ?giorno|buona ?sera|do la parola|ha la parola",
    section_words=("capitolo parte sezione articolo libro tomo lezione atto scena titolo"),
    appendix_words="allegato appendice",
    number_words="primo prima secondo seconda terzo terza",
    reference_titles="riferimenti, bibliografia, riferimenti bibliografici, opere citate, fonti",
    contents_titles="indice, sommario",
    caption_words="figura fig tabella foto immagine fonte",
    vague_nouns=(
        "anno anni giorno giorni settimana settimane mese mesi ora ore minuto minuti secondo "
        "secondi secolo secoli tempo tempi momento metro metri chilometro chilometri centimetro "
        "centimetri grammo grammi chilo chili litro litri tonnellata tonnellate grado gradi euro "
        "milione milioni parte parti tipo tipi caso casi fine inizio numero numeri quantità gente "
        "persona persone uomo donna lato lati domanda problema problemi ragione ragioni luogo "
        "luoghi posto mattina sera notte metà serie ruolo resto file contenuto contenuti progetto "
        "progetti informazione informazioni valore valori articolo articoli sezione sezioni "
        "capitolo documento documenti testo testi tema temi punto punti argomento ambito "
        "possibilità passo passi cosa cose modo grazie signori"
    ),
    phrase_links="di del dello della dei degli delle dell' d'",
    honorifics="sig signor signora dott prof don",
    articles="il lo la i gli le l' un uno una un'",
    noun_markers=(
        "il lo la i gli le l' un uno una un' del dello della dei degli delle dell' al allo alla ai "
        "agli alle all' nel nella nei dal dalla sul sulla questo questa suo sua ogni"
    ),
    verb_endings="are ere ire ando endo arono erono irono ava eva iva arsi ersi irsi",
    conjunction=" e ",
    conjunction_before=("e", " ed "),
)
