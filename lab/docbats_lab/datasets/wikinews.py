"""Wikinews: whole stories under a free licence, put together by a recipe."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.recipes import Recipe

_LAYOUT = Recipe("recipe-wikinews.json", articles="wikinews")

WIKINEWS = Dataset(
    name="wikinews",
    description=(
        "Three to eight English Wikinews stories of 2019 and 2020 in a row; not in the paper, but "
        "free, unlike its News."
    ),
    citation="Wikinews contributors, stories of 2019 and 2020",
    licence="CC BY 2.5",
    source=_LAYOUT.source(
        "247 English Wikinews stories, taken from github.com/vanatteveldt/wikinews, commit "
        "347254178bf343f3801aac1d03c41cc09c35decb, those of 120 to 1500 words that are not "
        "interviews, without captions and date lines, cut into sentences"
    ),
    layout=_LAYOUT,
    folder="news",
    documents=300,
    checksum="4aa4e00acfeffdf5d2a3e1725a00655b80d506cd7ba96eb00790b11c1b9e82a2",
)
