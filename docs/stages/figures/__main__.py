"""Draw the pictures of the stages: ``python docs/stages/figures [FOLDER]``.

All of them show the same example document, as the library sees it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from cuts import number_of_segments, segments_gain, segments_map
from matrix import bonding_matrix, bonding_weights, matrix
from path import path
from spectrum import spectrum_sentences, spectrum_values
from words import text_sentence, text_words

from titles import summary_sentences, titles_phrases
from topics import topics_rotation, topics_words

PICTURES = {
    "path": path,
    "text-sentence": text_sentence,
    "text-words": text_words,
    "matrix": matrix,
    "bonding-weights": bonding_weights,
    "bonding-matrix": bonding_matrix,
    "spectrum-values": spectrum_values,
    "spectrum-sentences": spectrum_sentences,
    "topics-rotation": topics_rotation,
    "topics-words": topics_words,
    "segments-map": segments_map,
    "segments-gain": segments_gain,
    "number-of-segments": number_of_segments,
    "titles-phrases": titles_phrases,
    "summary-sentences": summary_sentences,
}


def main() -> None:
    """Write every picture to docs/stages/pictures, or to the folder in the argument."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        draw().write(folder / f"{name}.svg")


if __name__ == "__main__":
    main()
