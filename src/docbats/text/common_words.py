"""The commonest words of languages and their special letters, by which a language is found.

Those after Russian docbats does not know otherwise: they are here so that a text in them is not
taken for one in a language like them.
"""

from __future__ import annotations

__all__ = ["COMMON_WORDS", "SPECIAL_LETTERS"]

COMMON_WORDS = {
    "en": """
        the of and to in is that it for was on are as with his they at be this from have or by had
        not but what all were when we there can an your which their said if will each about how up
        out them then she many some so these would other into has more her two him see than been
        its who did my over you he i where after also because between does only such through
    """,
    "de": """
        der die und das den von zu mit sich des auf für ist im dem nicht ein eine als auch es an
        werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum
        war haben nur oder aber vor zur bis mehr durch man sein wurde sei wenn können ich wir kann
        ihre seine wo dieser diese unter keine
    """,
    "fr": """
        de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il
        sont avec son aux cette ou être ont mais comme sa fait nous ses été aussi leur même ces
        elle ils peut entre deux très sans tout tous dont vous je où c l d qu s n j y a à
    """,
    "es": """
        de la que el en y a los se del las un por con no una su para es al lo como más o pero sus
        le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy
        años hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene
        uno donde bien estos esto
    """,
    "pt": """
        de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao
        ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso
        ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha foram
        essa num nem suas meu às minha têm numa pelos elas são pode uns
    """,
    "it": """
        di e il la che in a per un è del non una con si della sono da le dei i al come gli ha più
        lo nel alla anche dal o delle ma nella su se tra suo cui questo essere ai stato sua dell
        degli dalla questa quando fra anni due ed nei sul molto può c l loro io mi alle hanno era
        prima dopo ogni così d all sulla nell dall
    """,
    "nl": """
        de van een het en in is dat op te zijn met voor die niet aan er om ook als dan maar bij
        uit was naar door hij over zich tot nog wordt worden hebben ze ik heeft je kan meer deze
        of wel had dit geen al werd kunnen zo moet wat onder veel hun haar nu na tegen zij wij
        waar omdat twee
    """,
    "pl": """
        i w nie na się z do to że jest o jak a po od za przez co ale jego dla jej by tym czy tego
        być tak może ich już był są przy także które oraz który tylko ma jako która lub ze ten tej
        bardzo była było gdy jednak pod we aby ani nad sobie ja mnie więc też kiedy bez tych te bo
        można
    """,
    "ru": """
        и в не на что с по как это к он из за у о от то для но а его же так все она бы было были
        или был быть этого также если при до их может только время ещё уже когда чем который
        которые которая где мы вы я они этот эта эти во со том под без нет есть чтобы после ее её
    """,
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
    "is": """
        og að í á er sem til það um við en ekki með var hann af fyrir eru ég því frá
    """,
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
    "et": """
        ja on ei et see oli mis ta kui ka oma aga või ning siis seda ma nii selle kes
    """,
    "tr": """
        ve bir bu da de için ile çok olarak daha olan gibi ne kadar sonra en ki değil var o her
        ise olduğu veya
    """,
    "id": """
        yang dan di dengan untuk dari dalam ini itu tidak pada adalah ke akan juga oleh atau
        sebagai dapat ada
    """,
    "vi": """
        và của là các có trong được cho không một với những người này khi để đã từ về như
    """,
    "lt": """
        ir yra kad į su iš tai kaip bet ar buvo per po už jo dėl tik jau būti nuo
    """,
    "lv": """
        un ir ar no uz par kas bet arī tas bija kā lai vai pēc līdz kad var
    """,
    "la": """
        et in est non ad cum ut quod qui sed ex si quae ab esse per aut atque autem
    """,
    "af": """
        die en van het is in wat nie om te vir met op ook hy as dat sy aan deur word was
    """,
    "eo": """
        la de kaj en estas ne por al ke kun li sed pri kiu kiel ĝi oni aŭ tiu
    """,
    "uk": """
        і в не на що з у як це до та за від але його для був по є або ще також які який яка вона
        вони бути може при про
    """,
    "be": """
        і ў не на што з у як гэта да за ад але яго для быў па або яшчэ таксама які
    """,
    "bg": """
        на и да се в за от е са с не че като по до при или той което която това както но има беше
        го ще
    """,
    "sr": """
        и у је се на да су за од са као о који што из не би која те или по до али није како које
    """,
    "mk": """
        на и да се во за од е со не што како тој или по до но има беше го ќе
    """,
}

SPECIAL_LETTERS = {
    "de": "äöüß",
    "fr": "éèêàùçœîôûâëï",
    "es": "áéíóúñü",
    "pt": "áéíóúãõâêôçà",
    "it": "àèéìòù",
    "nl": "ëïé",
    "pl": "ąęłńóśźżć",
    "ru": "ыэёъщ",
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
