"""All methods of the laboratory, in the order of the tables. To add one, add a line here."""

from __future__ import annotations

from docbats_lab.baselines import (
    embedding_segmenters,
    engine,
    factorization,
    lda,
    least_cost,
    lexical,
)
from docbats_lab.baselines.supervised import segmenter as supervised

TOPIC_METHODS = {
    method.name: method
    for method in (
        lda.LDA,
        lda.HDP,
        factorization.LSA,
        factorization.PLSA,
        factorization.NMF,
        factorization.SEANMF,
        engine.BATS_TOPICS,
        engine.DOCBATS_TOPICS,
    )
}

SCORED_TOPIC_METHODS = {**TOPIC_METHODS, engine.TEN_WORDS.name: engine.TEN_WORDS}
"""With a variant of docbats that only the table of topic quality has."""

SEGMENTERS = {
    method.name: method
    for method in (
        lexical.NONE,
        lexical.EVEN,
        lexical.RANDOM,
        lexical.TEXT_TILING,
        lexical.C99_K,
        lexical.C99,
        lda.LDA_MDP,
        lda.TOPIC_TILING_K,
        lda.TOPIC_TILING,
        least_cost.UTIYAMA_ISAHARA_K,
        least_cost.UTIYAMA_ISAHARA,
        least_cost.BAYES_SEG,
        least_cost.MIN_CUT,
        engine.BATS,
        engine.DOCBATS,
        engine.DOCBATS_K,
        engine.DOCBATS_PARAGRAPHS,
        engine.DOCBATS_PARAGRAPHS_K,
        supervised.SUPERVISED_SEG,
        supervised.SUPERVISED_SEG_K,
        embedding_segmenters.BERT_SEG,
        embedding_segmenters.BERT_SEG_SKLEARN,
        embedding_segmenters.MINILM_DP,
        engine.DOCBATS_MINILM,
    )
}
