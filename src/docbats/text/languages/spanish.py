"""Spanish."""

from __future__ import annotations

from docbats.text.languages.language import Language

_STOP_WORDS = """
el la los las lo un una unos unas al del este esta estos estas esto ese esa esos esas eso aquel
aquella aquellos aquellas aquello mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro
vuestra vuestros vuestras mío mía míos mías tuyo tuya suyo suya suyos suyas todo toda todos todas
cada cualquier cualquiera cualesquiera algún alguno alguna algunos algunas ningún ninguno ninguna
ningunos otro otra otros otras mismo misma mismos mismas tal tales tanto tanta tantos tantas mucho
mucha muchos muchas poco poca pocos pocas varios varias demás ambos ambas demasiado demasiada cierto
cierta ciertos ciertas bastante bastantes distinto distinta distintos distintas diferente diferentes
propio propia propios propias

yo me mí conmigo tú te ti contigo él ella ello usted ustedes nosotros nosotras nos vosotros vosotras
os ellos ellas le les se sí consigo uno quien quienes que qué cual cuales cuál cuáles cuyo cuya
cuyos cuyas quién quiénes alguien nadie algo nada

a ante bajo cabe con contra de desde durante en entre hacia hasta mediante para por según sin sobre
tras vía excepto salvo incluso alrededor dentro fuera encima debajo delante detrás cerca lejos
además través junto frente acerca pesar

y e o u ni pero sino mas aunque porque pues si como cuando donde mientras luego conque apenas así
entonces también tampoco embargo obstante sea ya bien

soy eres es somos sois son era eras éramos eran fui fuiste fue fuimos fueron seré será serán sería
serían seas seamos sean fueran fuese siendo sido ser estoy estás está estamos están estaba estabas
estaban estuvo estuvieron estará estarán estaría esté estén estuviera estando estado estar he has ha
hemos habéis han había habías habían hubo hubieron habrá habrán habría habrían haya hayan hubiera
hubieran hubiese habiendo habido haber hay tengo tienes tiene tenemos tienen tenía tenían tuvo
tuvieron tendrá tendrán tendría tenga tengan tener tenido teniendo hago haces hace hacemos hacen
hacía hizo hicieron hará harán haría haga hagan hacer hecho haciendo puedo puedes puede podemos
pueden podía podían pudo pudieron podrá podrán podría podrían pueda puedan poder pudiendo debo debe
debemos deben debía debían deberá debería deber voy vas va vamos van iba iban irá vaya ir yendo ido
quiere quieren quería querer dice dicen decía dijo dijeron decir dicho da dan daba dio dar dado
dando ve ven ver visto sabe saben saber viene vienen venir suele suelen solía queda quedan quedar
pone ponen poner puesto llega llegan llegar lleva llevan llevar sigue siguen seguir parece parecen
existe existen permite permiten usa usan usar utiliza utilizan

no nunca jamás más menos muy casi tan sólo solo solamente aún todavía siempre antes después ahora
hoy ayer mañana pronto tarde temprano aquí allí ahí acá allá arriba abajo mal mejor peor quizá
quizás acaso especialmente generalmente normalmente principalmente realmente simplemente actualmente
finalmente cómo cuánto cuánta cuántos cuándo dónde adonde veces vez cosa cosas modo manera forma etc
ejemplo

primer primero primera primeros primeras segundo segunda tercer tercero tercera último última
últimos últimas próximo próxima dos tres cuatro cinco seis siete ocho nueve diez once doce veinte
cien ciento mil gran grande grandes pequeño pequeña pequeños pequeñas nuevo nueva nuevos nuevas buen
bueno buena buenos buenas único única posible posibles importante importantes
"""

LANGUAGE = Language(
    code="es",
    name="Spanish",
    common_words=(
        "de la que el en y a los se del las un por con no una su para es al lo como más o pero "
        "sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había "
        "era muy años hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni "
        "parte tiene uno donde bien estos esto"
    ),
    special_letters="áéíóúñü",
    abbreviations=(
        "a.c a.m abog abr admón ago aprox arq arts av avda c caps cf cnel co coord cía d d.c "
        "depto dic dpto dr dra dres dña ed edo eds ee ej ene etc excmo fdo feb fig figs fr gral "
        "hnos i.e ibid id ing izq izqda jr jul jun lda ldo lic mons mtra mtro máx mín nov nro nº "
        "núm oct p p.d p.ej p.m pp prof profa prov pta ptas pág págs párr ref s sep sept sr sra "
        "sres srta sta sto tel teléf tfno trad tte tít ud uds univ uu v vd vds vol vols vs"
    ),
    list_endings="etc",
    stop_words=_STOP_WORDS,
    stemmer="spanish",
    function_word_groups=(
        "yo me mí mi mis conmigo",
        "nosotros nosotras nos nuestro nuestra nuestros nuestras",
        "tú te ti tu tus usted ustedes vosotros",
        "él le lo",
        "ella ellas",
        "ellos les",
        "es son está están soy ha han hay",
        "era eran estaba había fue fueron",
        "puede pueden podría debe deben debería será serán habrá hay",
    ),
    fillers=(
        "sí si no bueno pues eh ah oh este entonces y e o pero vale ok bien claro gracias "
        "hola ahora"
    ),
    quotation_marks=("«", "»"),
    continuing_words=(
        "él ella ellos ellas su sus este esta estos estas esto ese esa esos esas eso aquel "
        "aquella pero y e o ni sino además también tampoco así entonces luego después por eso "
        "embargo aunque porque pues mientras tal tales allí aquí ahí ello les le"
    ),
    shifting_words="hoy ahora veamos pasemos consideremos supongamos finalmente",
    pointing_words=(
        "este esta esto estos estas ese esa eso esos esas dicho dicha dichos dichas él "
        "ella ellos ellas ello tal tales"
    ),
    hesitations="eh em mmm",
    courtesies="gracias|buen[oa]s (?:días|tardes|noches)|(?:cedo|doy) la palabra|tiene la palabra",
    section_words=(
        "capítulo capitulo parte sección seccion artículo articulo libro tomo "
        "lección acto escena título titulo subsección tema disposición_adicional "
        "disposición_transitoria disposición_derogatoria disposición_final"
    ),
    appendix_words="anexo apéndice",
    number_words=(
        "primero primera segundo segunda tercero tercera cuarto cuarta quinto quinta sexto sexta "
        "séptimo séptima octavo octava noveno novena décimo décima undécimo undécima duodécimo "
        "duodécima único única preliminar"
    ),
    reference_titles=(
        "referencias, bibliografía, referencias bibliográficas, obras citadas, fuentes"
    ),
    contents_titles=(
        "índice, contenido, contenidos, tabla de contenido, tabla de contenidos, sumario"
    ),
    caption_words="figura fig tabla cuadro foto imagen fuente",
    vague_nouns=(
        "año años día días semana semanas mes meses hora horas minuto minutos segundo segundos "
        "siglo siglos tiempo tiempos momento metro metros kilómetro kilómetros centímetro "
        "centímetros gramo gramos kilo kilos litro litros tonelada toneladas grado grados euro "
        "euros millón millones parte partes tipo tipos caso casos fin final principio número "
        "números cantidad gente persona personas hombre mujer lado lados pregunta problema "
        "problemas razón razones lugar lugares tarde noche mitad serie papel resto archivo "
        "archivos fichero ficheros contenido contenidos proyecto proyectos información "
        "informaciones valor valores artículo artículos sección secciones capítulo documento "
        "documentos texto textos tema temas punto puntos asunto ámbito ámbitos posibilidad "
        "posibilidades términos efectos apartado apartados disposición disposiciones presente "
        "siguiente siguientes señorías señoría gracias"
    ),
    phrase_links="de del la las los",
    honorifics="sr sra srta don doña dr dra",
    articles="el la los las un una unos unas su sus",
    noun_markers=(
        "el la los las un una unos unas al del lo este esta estos estas ese esa su sus nuestro "
        "nuestra cada cualquier otro otra"
    ),
    verb_endings="ar er ir ando iendo ó aron ieron aba ía rá rán arse erse irse arlo arla",
    conjunction=" y ",
    conjunction_before=("h?[ií](?![aeo])", " e "),
)
