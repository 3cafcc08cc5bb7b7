"""Many documents: read, analyzed in parallel, and written without losing any.

The way of a document: `source_files` finds its file, `documents` reads it, an engine (`engines`,
`ray_cluster`) has it analyzed by `rows`, and `formats` writes its row to the `run_folder`, part by
part. `runner` ties these together; `report` describes a whole run.

>>> from docbats import Settings
>>> options = CorpusOptions(settings=Settings(k=4), format="parquet")
>>> summary = run("texts/*.txt", "out", options)  # doctest: +SKIP
"""

from docbats.corpus.engines import AnalyzedDocument, Engine
from docbats.corpus.errors import CorpusError, EngineError, Failure, ResumeError
from docbats.corpus.options import CorpusOptions
from docbats.corpus.ray_cluster import ray_engine
from docbats.corpus.runner import Progress, Summary, run, stream

__all__ = [
    "AnalyzedDocument",
    "CorpusError",
    "CorpusOptions",
    "Engine",
    "EngineError",
    "Failure",
    "Progress",
    "ResumeError",
    "Summary",
    "ray_engine",
    "run",
    "stream",
]
