"""Many documents: read, spread over processes, and written with nothing lost.

The path of a document: `input` finds the files and reads documents from them, `grouping` puts
documents into batches, an engine of `engines` has each batch analyzed by `analyze_document`,
`pending_documents` takes what comes back, and `output` writes rows, part by part. `run_to_folder`
and `run_as_stream` tie these together.

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
