"""Many documents: read, spread over processes, and written with nothing lost.

>>> from docbats import Settings
>>> plan = Plan(settings=Settings(k=4), format="parquet")
>>> summary = run("texts/*.txt", "out", plan)  # doctest: +SKIP
"""

from docbats.corpus.cluster import ray_engine
from docbats.corpus.engine import Answer, Engine
from docbats.corpus.errors import CorpusError, EngineError, Failure, ResumeError
from docbats.corpus.feed import stream
from docbats.corpus.plan import Plan
from docbats.corpus.runner import run
from docbats.corpus.summary import Progress, Summary

__all__ = [
    "Answer",
    "CorpusError",
    "Engine",
    "EngineError",
    "Failure",
    "Plan",
    "Progress",
    "ResumeError",
    "Summary",
    "ray_engine",
    "run",
    "stream",
]
