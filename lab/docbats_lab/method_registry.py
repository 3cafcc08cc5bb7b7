"""All methods of the laboratory by name, in the order of the tables. To add one, add it here."""

from __future__ import annotations

from docbats_lab.baselines import (
    bats_segments,
    bats_topics,
    bayesseg,
    bertseg,
    c99,
    embedding_dp,
    hdp,
    lda,
    lda_mdp,
    lsa,
    mincut,
    nmf,
    plsa,
    seanmf,
    texttiling,
    topic_tiling,
    trivial,
    utiyama_isahara,
)
from docbats_lab.baselines.supervised import segmenter as supervised

TOPIC_METHODS = {
    method.name: method
    for method in (
        lda.METHOD,
        hdp.METHOD,
        lsa.METHOD,
        plsa.METHOD,
        nmf.METHOD,
        seanmf.METHOD,
        *bats_topics.METHODS,
    )
}

SCORED_TOPIC_METHODS = {**TOPIC_METHODS, bats_topics.TEN_WORDS.name: bats_topics.TEN_WORDS}

CLASSICAL_SEGMENTERS = {
    method.name: method
    for method in (
        *trivial.METHODS,
        texttiling.METHOD,
        *c99.METHODS,
        lda_mdp.METHOD,
        *topic_tiling.METHODS,
        *utiyama_isahara.METHODS,
        bayesseg.METHOD,
        mincut.METHOD,
        *bats_segments.METHODS,
    )
}

PARAGRAPH_SEGMENTERS = {method.name: method for method in bats_segments.WITH_PARAGRAPHS}
"""Those for documents whose paragraphs are known; they cut others as their namesakes do."""

SEGMENTERS = {
    **CLASSICAL_SEGMENTERS,
    **PARAGRAPH_SEGMENTERS,
    **{
        method.name: method
        for method in (
            *supervised.METHODS,
            *bertseg.METHODS,
            embedding_dp.METHOD,
            bats_segments.NEURAL,
        )
    },
}
