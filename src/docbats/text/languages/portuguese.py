"""Portuguese, of Brazil and of Portugal."""

from __future__ import annotations

from docbats.text.languages.language import Language

_STOP_WORDS = """
o a os as um uma uns umas ao aos à às do da dos das no na nos nas num numa nuns numas dum duma pelo
pela pelos pelas este esta estes estas isto esse essa esses essas isso aquele aquela aqueles aquelas
aquilo deste desta destes destas disto desse dessa desses dessas disso daquele daquela daqueles
daquelas daquilo neste nesta nestes nestas nisto nesse nessa nesses nessas nisso naquele naquela
naqueles naquelas àquele àquela meu minha meus minhas teu tua teus tuas seu sua seus suas nosso
nossa nossos nossas vosso vossa todo toda todos todas tudo cada qualquer quaisquer algum alguma
alguns algumas nenhum nenhuma outro outra outros outras mesmo mesma mesmos mesmas tal tais tanto
tanta tantos tantas muito muita muitos muitas pouco pouca poucos poucas vários várias demais ambos
ambas certo certa certos certas próprio própria próprios próprias diferente diferentes diversos
diversas

eu me mim comigo tu te ti contigo ele ela eles elas dele dela deles delas nele nela neles nelas você
vocês nós conosco vós vos lhe lhes se si consigo la lo las los quem que quê qual quais cujo cuja
cujos cujas alguém ninguém algo nada outrem

ante após até com contra de desde durante em entre mediante para pra perante por sem sob sobre trás
via exceto salvo dentro fora acima abaixo diante atrás perto longe através junto além acerca apesar
cerca

e ou nem mas porém todavia contudo entretanto pois porque como quando onde enquanto embora logo
portanto assim então também tampouco senão caso conforme segundo quanto ainda já

sou és é somos são era eras éramos eram fui foi fomos foram serei será serão seria seriam seja sejam
fosse fossem for forem sendo sido ser estou estás está estamos estão estava estavam esteve estiveram
estará estaria esteja estejam estivesse estiver estando estado estar tenho tens tem temos têm tinha
tinham teve tiveram terá terão teria teriam tenha tenham tivesse tiver tendo tido ter hei há hão
havia haviam houve haverá haveria haja haver faço faz fazem fazemos fazia fez fizeram fará faria
faça fazer feito fazendo posso pode podem podemos podia podiam pôde puderam poderá poderão poderia
poderiam possa possam poder devo deve devem devia deveria deverá dever vou vai vamos vão ia iam irá
irão iria vá ir indo quer querem queria querer diz dizem dizia disse disseram dizer dito dá dão dava
deu dar dado vê veem ver visto sabe sabem saber vem vêm vir vindo costuma costumam fica ficam ficou
ficar põe põem pôr posto chega chegam chegar leva levam levar segue seguem parece parecem existe
existem permite permitem usa usam usar utiliza precisa precisam continua torna tornam tornar passa
passam passar

não nunca jamais sim mais menos quase tão só somente apenas sempre antes depois agora hoje ontem
amanhã cedo tarde aqui ali aí cá lá bem mal melhor pior talvez acaso inclusive especialmente
geralmente normalmente principalmente realmente simplemente simplesmente atualmente finalmente
novamente quantos quanta vez vezes coisa coisas modo maneira forma etc exemplo

primeiro primeira primeiros primeiras segunda terceiro terceira último última últimos últimas
próximo próxima dois duas três quatro cinco seis sete oito nove dez onze doze vinte cem cento mil
grande grandes pequeno pequena pequenos pequenas novo nova novos novas bom boa bons boas único única
possível possíveis importante importantes
"""

LANGUAGE = Language(
    code="pt",
    name="Portuguese",
    common_words=(
        "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao "
        "ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso "
        "ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha foram "
        "essa num nem suas meu às minha têm numa pelos elas são pode uns"
    ),
    special_letters="áéíóúãõâêôçà",
    abbreviations=(
        "a.c abr adv ago aprox arq arts av c caps cel cf cia co col coord d d.c dep depto dr dra "
        "dras drs ed eds eng engª esp etc ex exma exmo fev fig figs fr gen gov hab i.e ibid id "
        "jan jr jul jun lda ltda mai min mons máx mín n nov nº núm obs p p.ex pe pp pres prof "
        "prof.ª profa profs pág págs ref s sr sra sras srs srta sta sto séc sécs tel ten trad "
        "univ v vol vols vs"
    ),
    list_endings="etc",
    stop_words=_STOP_WORDS,
    stemmer="portuguese",
    function_word_groups=(
        "eu me mim meu minha meus minhas",
        "nós nosso nossa nossos nossas",
        "tu te ti você vocês teu tua",
        "ele dele lhe",
        "ela elas dela",
        "eles deles lhes",
        "é são está estão sou tem têm há",
        "era eram estava havia foi foram tinha",
        "pode podem poderia deve devem deveria será serão seria",
    ),
    fillers=("sim não bem bom pois eh ah oh então e ou mas ok tá né obrigado obrigada olá agora"),
    continuing_words=(
        "ele ela eles elas seu sua seus suas este esta estes estas isto esse essa esses essas "
        "isso aquele aquela mas e ou nem porém contudo todavia entretanto portanto assim então "
        "logo também além depois por isso embora porque pois enquanto ali aí lá nele nela neles"
    ),
    shifting_words="hoje agora vejamos passemos consideremos suponhamos finalmente",
    pointing_words=(
        "este esta isto estes estas esse essa isso esses essas ele ela eles elas tal tais"
    ),
    hesitations="hum ahn eh",
    courtesies="obrigad[oa]s?|bom dia|boa (?:tarde|noite)|(?:passo|dou) a palavra|tem a palavra",
    section_words=(
        "capítulo capitulo parte seção secção artigo livro tomo lição ato cena título titulo"
    ),
    appendix_words="anexo apêndice",
    number_words="primeiro primeira segundo segunda terceiro terceira",
    reference_titles="referências, bibliografia, referências bibliográficas, obras citadas, fontes",
    contents_titles="índice, conteúdo, sumário",
    caption_words="figura fig tabela quadro foto imagem fonte",
    vague_nouns=(
        "ano anos dia dias semana semanas mês meses hora horas minuto minutos século séculos "
        "tempo tempos momento metro metros quilômetro quilômetros quilómetro quilómetros "
        "centímetro centímetros grama gramas quilo quilos litro litros tonelada toneladas grau "
        "graus euro euros real reais milhão milhões parte partes tipo tipos caso casos fim final "
        "início número números quantidade gente pessoa pessoas homem mulher lado lados pergunta "
        "problema problemas razão razões lugar lugares manhã tarde noite metade série papel resto "
        "arquivo arquivos ficheiro ficheiros conteúdo conteúdos projeto projetos projecto "
        "informação informações valor valores artigo artigos seção seções secção capítulo "
        "documento documentos texto textos tema temas ponto pontos assunto âmbito possibilidade "
        "possibilidades passo passos maioria obrigado"
    ),
    phrase_links="de do da dos das",
    honorifics="sr sra dr dra dom dona",
    articles="o a os as um uma uns umas seu sua seus suas",
    noun_markers=(
        "o a os as um uma uns umas ao à aos às do da dos das no na nos nas pelo pela este esta "
        "esse essa seu sua seus suas cada qualquer outro outra"
    ),
    verb_endings="ar er ir ando endo indo ou aram eram iram ava ia rá rão",
    conjunction=" e ",
)
