"""Common words and special letters of languages that docbats detects only to rule them out.

Without them a text in one of these would be taken for one in a known language like it. To make one
known, move its lines to a file in `languages/`.
"""

from __future__ import annotations

__all__ = ["COMMON_WORDS", "SPECIAL_LETTERS"]

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
