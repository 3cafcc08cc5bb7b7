"""Polish."""

from __future__ import annotations

from docbats.text.languages.language import Language

_STOP_WORDS = """
ten ta to te ci tego tej tych temu tym tymi tę tą tamten tamta tamto tamte tamtego tamtej tamtych
taki taka takie takiego takiej takich takim takimi taką ów owa owo owe mój moja moje mojego mojej
moich moim moją twój twoja twoje swój swoja swoje swojego swojej swoich swoim swoją swoimi swą swe
swego swych nasz nasza nasze naszego naszej naszych naszym naszą wasz wasza wasze jego jej ich każdy
każda każde każdego każdej każdym każdą wszystek wszyscy wszystko wszystkie wszystkich wszystkim
wszystkiego wszystkimi żaden żadna żadne żadnego żadnej jakiś jakaś jakieś jakiegoś jakiejś któryś
pewien pewna pewne pewnego pewnej pewnych inny inna inne innego innej innych innym innymi sam sama
samo sami same samego samej samym kilka kilku wiele wielu mało dużo trochę obie oba obu obydwa cały
cała całe całego całej całym

ja mnie mną mi ty ciebie cię tobie tobą on ona ono oni one go jemu mu nim niej ją nią my nas nam
nami wy was wam wami im nich nimi siebie się sobie sobą kto kogo komu kim co czego czemu czym który
która które którego której których któremu którym którymi którą jaki jaka jakie jakiego jakiej
jakich jakim jaką czyj czyja ktoś kogoś coś czegoś nikt nikogo nic niczego cokolwiek ktokolwiek

bez beze dla do ku między mimo na nad nade naprzeciw o od ode około oprócz po pod pode podczas
pomimo ponad poprzez poza pośród przeciw przed przede przez przy spod spośród sprzed u w we według
wewnątrz wobec wokół wśród wzdłuż z za zamiast ze względem znad zza dzięki obok blisko dookoła
wskutek

a aby ale albo ani bądź bo bowiem by choć chociaż chyba czy czyli dlatego gdy gdyby gdyż gdzie i iż
jak jakby jako jednak jednakże jeśli jeżeli kiedy lecz lub natomiast niech niż ponieważ póki skoro
też także tylko toteż tymczasem więc zanim zaś zatem że żeby oraz dopóki ponadto przecież zresztą

jestem jesteś jest jesteśmy jesteście są byłem byłam był była było byliśmy byli były będę będziesz
będzie będziemy będą byłby byłaby byłoby byliby byłyby być będąc mam masz ma mamy macie mają miał
miała miało mieli miały mieć mając mogę możesz może możemy mogą mógł mogła mogło mogli mogły mógłby
mogłaby mogłoby mogłyby móc można muszę musi musimy muszą musiał musiała musiało musieli musieć
trzeba należy powinien powinna powinno powinny powinni wolno warto chcę chce chcą chciał chciała
chcieli chcieć zostać zostaje zostają został została zostało zostali zostały zostanie zostaną robi
robią robić zrobić idzie iść daje dają dać dawać staje stają stać stał stała mówi mówią mówił mówić
powiedział wie wiedzą wiedzieć wiadomo znajduje znajdują bywa bywają bywał pozwala pozwalają służy
zaczyna zaczął używa używać oznacza stanowi stanowią

nie nigdy tak już jeszcze bardzo bardziej najbardziej mniej najmniej więcej najwięcej dość dosyć
zbyt prawie niemal ledwie zawsze często czasem czasami rzadko zwykle zazwyczaj teraz obecnie dziś
dzisiaj wczoraj jutro potem później wcześniej przedtem najpierw następnie wreszcie końcu wkrótce
niedawno dawniej kiedyś tu tutaj tam stąd stamtąd skąd dokąd wszędzie nigdzie gdzieś tędy dobrze źle
lepiej gorzej razem osobno szczególnie zwłaszcza głównie właśnie naprawdę rzeczywiście oczywiście
prawdopodobnie zapewne raczej przynajmniej nawet również znów znowu wciąż nadal dlaczego ile tyle
jakoś inaczej podobnie bezpośrednio ok np itd itp tzn tzw m.in razy raz rzecz rzeczy sposób sposobem
przykład

jeden jedna jedno jednego jednej jednym jedną dwa dwie dwóch dwoma trzy trzech cztery czterech pięć
sześć siedem osiem dziewięć dziesięć sto tysiąc pierwszy pierwsza pierwsze pierwszego pierwszej
drugi druga drugie drugiego drugiej trzeci trzecia ostatni ostatnia ostatnie następny następna duży
duża duże dużych mały mała małe małych nowy nowa nowe nowych nowego nowej dobry dobra dobre wielki
wielka wielkie własny własna własne różny różne różnych ważny ważna ważne możliwy możliwe
"""

LANGUAGE = Language(
    code="pl",
    name="Polish",
    common_words=(
        "i w nie na się z do to że jest o jak a po od za przez co ale jego dla jej by tym czy "
        "tego być tak może ich już był są przy także które oraz który tylko ma jako która lub ze "
        "ten tej bardzo była było gdy jednak pod we aby ani nad sobie ja mnie więc też kiedy bez "
        "tych te bo można"
    ),
    special_letters="ąęłńóśźżć",
    abbreviations=(
        "al art bł cd cdn ckm dn doc dot dr ds dyr dz ewent fot gen godz hab im inż itd itp jw "
        "kard kg kl km kol kpt ks kw kwi lek lic lok ltd m m.in max mgr min mjr mkw mld mln n.e "
        "nad nb ndst np nr nt o.o ob odc ok op os oz p p.n.e par paź pkt pl pn pod por pow poz "
        "poł pp ppłk prez prof przed przyp pt płk r reż ros rozdz rtm rys rz s sek sierż sp "
        "spółka st str sw szt tab tel tj tys tzn tzw ul ust w wg wlk woj wrz wsp wyd zob zoo zł "
        "św"
    ),
    list_endings="etc itd itp",
    has_ordinal_stops=True,
    stop_words=_STOP_WORDS,
    stemmer="polish",
    function_word_groups=(
        "ja mnie mną mi mój moja moje",
        "my nas nam nami nasz nasza nasze",
        "ty ciebie cię tobie twój twoja pan pani państwo",
        "on jego go jemu mu nim",
        "ona jej ją nią niej",
        "oni one ich im nich nimi",
        "jest są jestem ma mają",
        "był była było byli były miał miała mieli",
        "może mogą można musi muszą powinien powinna powinno będzie będą mógł trzeba należy",
    ),
    fillers=(
        "tak nie no cóż ach och ee yyy hm więc i a ale lub albo bo dobrze dziękuję cześć teraz"
    ),
    quotation_marks=("„", "”"),
    continuing_words=(
        "on ona ono oni one jego jej ich im ten ta to te ci tego tej tych tym taki taka takie ale "
        "a i lecz jednak jednakże dlatego więc zatem też także również ponadto natomiast potem "
        "następnie wtedy bo ponieważ jeśli gdy tam tu tymczasem zaś mimo dzięki"
    ),
    shifting_words="dziś dzisiaj teraz obecnie rozważmy przejdźmy wreszcie załóżmy",
    pointing_words="ten ta to te ci on ona ono oni one taki taka takie",
    hesitations="yyy eee ee hm",
    courtesies="dziękuję|dziękujemy|dzień dobry|dobry wieczór|oddaję głos",
    section_words=(
        "rozdział część sekcja artykuł art księga tom lekcja wykład akt scena tytuł dział oddział"
    ),
    appendix_words="załącznik dodatek",
    reference_titles="bibliografia, literatura, źródła, przypisy",
    contents_titles="spis treści",
    caption_words="rysunek rys tabela tab ilustracja zdjęcie źródło",
    vague_nouns=(
        "tysiące tysięcy rok roku lata lat latach dzień dnia dni tydzień tygodnie tygodni miesiąc "
        "miesiące miesięcy godzina godziny godzin minuta minuty minut sekunda sekund wiek wieku "
        "wieki czas czasu czasie metr metry metrów kilometr kilometrów centymetr centymetrów gram "
        "gramów kilogram kilogramów litr litrów tona ton stopień stopni złoty złotych milion "
        "milionów procent część części typ przypadek przypadku koniec końcu początek początku "
        "liczba liczby ilość ludzie ludzi człowiek osoba osoby strona strony pytanie problem "
        "problemy powód miejsce miejsca ranek wieczór noc połowa rola reszta plik pliki plików "
        "treść treści projekt projekty projektu informacja informacje informacji wartość wartości "
        "artykuł artykuły artykułu sekcja rozdział rozdziału dokument dokumenty tekst tekstu "
        "temat tematu punkt punkty zakres zakresie możliwość możliwości krok kroki rzecz rzeczy "
        "sposób dzięki panowie państwo"
    ),
    oblique_endings="om ami ach ów em ą ę u owi ie ej ego emu ym im ymi imi ych ich",
    nominative_endings="cja nie cie ość stwo acz arz",
    modifier_endings="ny ty wy ski cki na ta ne owa owe owy ący ąca ące any ana ane ony ona one",
    honorifics="pan pani panu panią dr prof ks",
    verb_endings="ć ł ła ło li ły ąc ąca uje ują emy imy amy",
    conjunction=" i ",
)
