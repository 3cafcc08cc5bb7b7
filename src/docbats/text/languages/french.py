"""French."""

from __future__ import annotations

from docbats.text.languages.language import Language

_STOP_WORDS = """
le la les un une des du de au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre
vos leur leurs quel quelle quels quelles lequel laquelle lesquels lesquelles duquel desquels
desquelles auquel auxquels auxquelles tout toute tous toutes chaque plusieurs quelque quelques aucun
aucune certain certaine certains certaines autre autres autrui même mêmes tel telle tels telles nul
nulle maint divers diverses différent différente différents différentes

je me moi tu te toi il elle on nous vous ils elles lui eux se soi y en mien mienne tien tienne sien
sienne siens siennes nôtre vôtre celui celle ceux celles celui-ci ceci cela ça ci là qui que quoi
dont où quiconque rien personne quelqu'un quelqu'une chacun chacune l'un l'une

à après avant avec chez contre dans depuis derrière dès devant durant entre envers hors jusque jusqu
malgré par parmi pendant pour près sans sauf selon sous sur vers via voici voilà lors hormis outre
autour dessous dessus dedans dehors travers grâce afin cause face

et ou mais donc or ni car si lorsque lorsqu quand puisque puisqu parce quoique quoiqu tandis alors
comme ainsi aussi cependant toutefois néanmoins pourtant ensuite puis enfin d'abord ailleurs sinon
bref soit tant

suis es est sommes êtes sont étais était étions étiez étaient fus fut fûmes furent serai seras sera
serons serez seront serais serait serions seraient sois soyons soyez soient fusse fût étant été être
ai as a avons avez ont avais avait avions aviez avaient eus eut eûmes eurent aurai auras aura aurons
aurez auront aurais aurait aurions auraient aie aies ait ayons ayez aient eût ayant eu avoir fais
fait faites font faisait faisaient fit firent fera feront ferait fasse faire faisant faits faite
vais vas va allons allez vont allait allaient ira iront aller allé peux peut pouvons pouvez peuvent
pouvait pouvaient put purent pourra pourront pourrait pourraient puisse puissent pouvoir pu dois
doit devons devez doivent devait devaient dut devra devront devrait devraient devoir dû veux veut
voulons voulez veulent voulait voulaient voudra voudrait vouloir faut fallait faudra faudrait fallu
sais sait savons savez savent savait savoir su dit dis disent disait dire vient viennent venait
venir venu met mettre mis mise prend prennent prendre pris prise donne donnent donner donné donnée
permet permettent permettre reste restent rend rendre semble semblent devient deviennent devenir
devenu trouve trouvent trouver laisse laisser tient tenir voit voir vu utilise utiliser

ne pas n'est non oui plus moins très trop peu beaucoup assez bien mal mieux pire presque environ
seulement surtout encore déjà toujours jamais souvent parfois rarement quelquefois maintenant
aujourd'hui hier demain bientôt tôt tard longtemps ici là-bas partout ensemble loin tellement autant
davantage plutôt vraiment certes peut-être notamment également généralement particulièrement
simplement exactement guère point combien comment pourquoi désormais auparavant aussitôt soudain
c'est-à-dire etc fois lieu façon manière sorte chose choses cas

premier première premiers premières second seconde deuxième troisième dernier dernière derniers
dernières prochain prochaine deux trois quatre cinq six sept huit neuf dix onze douze vingt cent
mille grand grande grands grandes petit petite petits petites nouveau nouvelle nouveaux nouvelles
nouvel bon bonne bons bonnes propre propres seul seule seuls seules important importante importants
possible possibles
"""

LANGUAGE = Language(
    code="fr",
    name="French",
    common_words=(
        "de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il "
        "sont avec son aux cette ou être ont mais comme sa fait nous ses été aussi leur même ces "
        "elle ils peut entre deux très sans tout tous dont vous je où c l d qu s n j y a à"
    ),
    special_letters="éèêàùçœîôûâëï",
    abbreviations=(
        "abrév adj adv ambass anon approx av avr bd bibl boul capt cf chap cie co coll comp dir "
        "doc dr déc ed env etc ex exp ext fig fém févr gén hab hon ibid id inf introd isbn janv "
        "jr juil loc lt m masc max me mgr min mlle mm mme ms n.b nos nov nº obs oct op p p.-s "
        "p.ex pl pp pr prof prés qqch qqn resp réf rév sec sect sept sing st ste sté suiv sup "
        "suppl t trad tél univ v vol vs z éd"
    ),
    list_endings="etc",
    elisions="l d qu j m t s n c jusqu lorsqu puisqu quoiqu quelqu presqu",
    stop_words=_STOP_WORDS,
    stemmer="french",
    function_word_groups=(
        "je j me m moi mon ma mes",
        "nous notre nos",
        "tu te toi vous votre vos",
        "il lui",
        "elle elles",
        "ils eux leur leurs",
        "est sont suis a ont ai",
        "était étaient avait avaient fut furent",
        "peut peuvent doit doivent pourra pourrait devrait faut sera seront serait",
    ),
    fillers=(
        "oui non ouais bon ben bah euh hein ah oh eh donc alors et mais ou car voilà bref "
        "enfin d'accord ok merci puis"
    ),
    quotation_marks=("« ", " »"),
    continuing_words=(
        "il elle ils elles on lui leur leurs son sa ses ce cet cette ces cela ceci c celui celle "
        "ceux celles mais et ou or donc ainsi alors puis ensuite cependant toutefois pourtant "
        "néanmoins aussi enfin car si y en là ici tel telle de plus outre sinon parce ensuite"
    ),
    shifting_words="aujourd'hui maintenant abordons passons considérons supposons",
    pointing_words="ce cet cette ces cela ceci celui celle ceux celles il elle ils elles tel telle",
    hesitations="euh heu hum hein",
    courtesies="merci|bonjour|bonsoir|la parole est|je (?:vous )?(?:donne|passe) la parole",
    section_words=(
        "chapitre partie section sous-section article livre tome leçon acte scène titre"
    ),
    appendix_words="annexe",
    number_words="premier première deuxième troisième quatrième cinquième préliminaire",
    reference_titles="références, bibliographie, ouvrages cités, sources",
    contents_titles="sommaire, table des matières",
    caption_words="figure fig tableau photo image source",
    vague_nouns=(
        "an ans année années jour jours semaine semaines mois heure heures minute minutes seconde "
        "secondes siècle siècles temps moment mètre mètres kilomètre kilomètres centimètre gramme "
        "grammes kilo kilos litre litres tonne tonnes degré degrés euro euros million millions "
        "milliard partie parties type types exemple exemples forme formes fin début nombre "
        "nombres quantité gens homme femme côté côtés question questions problème problèmes "
        "raison raisons endroit place matin soir nuit moitié série rôle ensemble besoin reste "
        "fichier fichiers contenu contenus projet projets information informations valeur valeurs "
        "article articles section sections chapitre document documents texte textes thème thèmes "
        "point points sujet sujets chose choses domaine possibilité possibilités suite étape "
        "étapes cas fois manière façon merci messieurs mesdames"
    ),
    phrase_links="de du des d' la l'",
    honorifics="m mm mme mlle mr dr me mgr monsieur madame",
    articles="le la les l' un une ce cet cette ces son sa ses",
    noun_markers=(
        "le la les l' un une des du au aux ce cet cette ces son sa ses leur leurs notre nos votre "
        "vos chaque tout toute quelque autre"
    ),
    verb_endings="er ir oir re ant ons ez ent ait aient era",
    conjunction=" et ",
)
