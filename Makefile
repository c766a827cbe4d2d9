# Two commands for a newcomer: `make demo` and `make test`. Both make a virtual environment in .venv first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Where torch comes from that computes on processors alone; see docs/installing.md.
TORCH_INDEX ?=
# How long `make fuzz` goes on.
MINUTES ?= 10
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))
# no: the versions of constraints.txt without their hashes, for an index that serves other files than requirements.lock lists.
LOCK ?= yes
LOCKED := LOCK_TARGET='$(or $(firstword $(MAKECMDGOALS)),install)' $(BIN)/python .ci/lock install
# This package itself, when everything that it needs is there.
SELF := $(if $(filter no,$(LOCK)),$(PIP),$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation) --editable
# What has a target of its own, because of its time or of what it needs.
ELSEWHERE := not slow and not gpu and not mlflow and not exchange and not ray and not stores and not league
SAMPLE := sample_models/digits-newton
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
# Empty is unset: where nothing compiled may be kept, every process of the tests would compile all of them again.
export PYTHONDONTWRITEBYTECODE :=
# The theme's advice on its successor.
export NO_MKDOCS_2_WARNING := 1

.DEFAULT_GOAL := help
.PHONY: help demo test check docs docs-serve lock sbom licences fuzz bench peers test-long test-slow test-gpu test-mlflow test-exchange test-ray test-stores browser league attempts samples samples-table reference picture install install-dev clean

help:            ## list the targets
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

demo: $(VENV)/.installed-report ## audit a sample case and say where the report lies
	@$(BIN)/auditor check $(SAMPLE)
	@echo "The report: $(CURDIR)/$(SAMPLE)/audit/report.pdf"

test: demo install-dev ## the same, then the tests that take little time, in ten minutes on two cores
	@# Processes behind barriers may keep nothing compiled: each would compile again what they alone import.
	@$(BIN)/python -m compileall -q auditor
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not long and $(ELSEWHERE)"

test-long: install-dev ## run the tests that take half a second or more each, which is most of the time of all
	@$(BIN)/python -m compileall -q auditor
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "long and $(ELSEWHERE)"

test-slow: install-dev ## run the slow part of the test suite
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "slow and not mlflow"

test-ray: install-dev ## run the part that needs Ray, which it installs
	$(if $(filter no,$(LOCK)),,$(LOCKED) always ray)
	$(SELF) '.[ray]'
	$(BIN)/python -m pytest -m ray

test-mlflow: install-dev ## run the part that needs MLflow, which it installs in an environment of its own
	$(PYTHON) -m venv $(VENV)/mlflow
	$(VENV)/mlflow/bin/python -m pip install --quiet --disable-pip-version-check 'mlflow-skinny>=3.1'
	@$(BIN)/python -c 'import site; print(*site.getsitepackages(), "$(CURDIR)", sep="\n")' > "$$(echo $(VENV)/mlflow/lib/python*/site-packages)/auditor-tests.pth"
	$(VENV)/mlflow/bin/python -m pytest -m mlflow

test-exchange: install-dev ## hold CycloneDX and OSCAL documents against their schemas, in an environment of its own
	$(PYTHON) -m venv $(VENV)/exchange
	$(VENV)/exchange/bin/python -m pip install --quiet --disable-pip-version-check 'cyclonedx-python-lib[json-validation]>=11' 'compliance-trestle>=5'
	@$(BIN)/python -c 'import site; print(*site.getsitepackages(), "$(CURDIR)", sep="\n")' > "$$(echo $(VENV)/exchange/lib/python*/site-packages)/auditor-tests.pth"
	$(VENV)/exchange/bin/python -m pytest -m exchange

test-stores: install-dev ## scan stores made by libraries that it installs in an environment of its own
	$(PYTHON) -m venv $(VENV)/stores
	$(VENV)/stores/bin/python -m pip install --quiet --disable-pip-version-check 'hnswlib==0.8.0' 'faiss-cpu>=1.15' 'chromadb>=1.5' lancedb duckdb diskcache pgserver
	@$(BIN)/python -c 'import site; print(*site.getsitepackages(), "$(CURDIR)", sep="\n")' > "$$(echo $(VENV)/stores/lib/python*/site-packages)/auditor-tests.pth"
	$(VENV)/stores/bin/python -m pytest -m stores

test-gpu: install-dev ## run the part that needs a CUDA device
	$(BIN)/python -m pytest -m gpu

browser: install-dev ## show the HTML report in Chromium, with axe-core from npm
	npm install --silent --no-save --no-package-lock axe-core@4.14.1
	$(BIN)/python -m pytest -m "slow or not slow" tests/system/test_pages_in_chromium.py

league: install-dev ## audit every dishonest and honest design of the league, and print a table
	$(BIN)/python -m pytest -n 2 tests/league

attempts: install-dev ## try everything hostile that the tests try, and print a table by field
	$(BIN)/python -m pytest -n 2 --dist worksteal -m attempt

check: install-dev docs ## lint, types, layers, documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: install-dev ## build the documentation as a site, in build/site
	$(BIN)/mkdocs build --strict --quiet --config-file .ci/mkdocs.yml

docs-serve: docs ## the same, shown on this machine
	@echo "http://127.0.0.1:8000/ until Ctrl-C"
	@$(BIN)/python -m http.server 8000 --bind 127.0.0.1 --directory build/site

reference: install-dev ## write the pages of docs/ that follow from code: keys and columns, leaves, checks, glossary, items of the papers, statements of replies
	$(BIN)/python -m tests.reference_page
	$(BIN)/python -m tests.leaves_page
	$(BIN)/python -m tests.checks_page
	$(BIN)/python -m tests.glossary_page
	$(BIN)/python -m tests.papers_page
	PYTHONPATH=tests $(BIN)/python -m tests.replies_page

lock: $(VENV)/tools/.installed ## resolve again within constraints.txt, and write requirements.lock with its hashes
	$(VENV)/tools/bin/python .ci/lock write

sbom: install-dev $(VENV)/tools/.installed ## list what is installed as a CycloneDX document, build/sbom.json, valid by its schema
	@mkdir -p build
	$(VENV)/tools/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --validate --output-file build/sbom.json $(BIN)/python
	$(BIN)/python .ci/lock listed build/sbom.json always all dev

licences: install-dev $(VENV)/tools/.installed ## write docs/licences.md from the metadata of what requirements.lock installs
	LOCK_TARGET=licences $(VENV)/tools/bin/python .ci/lock install fuzz ray
	$(BIN)/python -m tests.licences_page $(VENV)/tools

fuzz: install-dev ## try every reader of foreign files for MINUTES in all, build/fuzz
	$(if $(filter no,$(LOCK)),$(PIP) atheris,$(LOCKED) fuzz)
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) --folder build/fuzz

bench: install-dev ## measure the figures of docs/speed.md, and write it
	$(BIN)/python -m benchmarks

peers: install-dev ## measure this project next to its peers, which it installs in environments of their own, and write docs/peers.md
	$(if $(TORCH_INDEX),PIP_EXTRA_INDEX_URL='$(TORCH_INDEX)') $(BIN)/python -m benchmarks.peers

samples: install ## make the sample cases anew
	for sample in sample_models/*/build.py; do $(BIN)/python $$sample || exit 1; done

samples-table: $(VENV)/.installed-report ## write the samples' table from their sample.toml
	$(BIN)/python sample_models/table.py --write sample_models/README.md

picture: demo    ## draw the first page of the demo's report for README
	$(BIN)/python sample_models/picture.py digits-newton docs/report.png

install: $(VENV)/.installed ## install every part, in .venv
install-dev: $(VENV)/.installed-dev ## the same, and what tests and checks need

$(VENV)/.ready:
	@.ci/system-packages $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed-report: $(VENV)/.ready pyproject.toml constraints.txt requirements.lock
	$(if $(filter no,$(LOCK)),,$(LOCKED) always report build)
	$(SELF) '.[report]'
	@touch $@

$(VENV)/.installed: $(VENV)/.installed-report
	@$(BIN)/python .ci/refuse-cuda $(TORCH_INDEX)
	$(if $(filter no,$(LOCK)),,$(LOCKED) always all build)
	$(PIP) torch
	$(SELF) '.[all]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(if $(filter no,$(LOCK)),,$(LOCKED) always all dev build)
	$(SELF) '.[all,dev]'
	@touch $@

# Tools that work on this package from outside, in an environment of their own.
$(VENV)/tools/.installed: $(VENV)/.ready requirements.lock
	$(PYTHON) -m venv $(VENV)/tools
	LOCK_TARGET=sbom $(VENV)/tools/bin/python .ci/lock install lock sbom
	@$(VENV)/tools/bin/python -m pip check --quiet
	@touch $@

clean:           ## remove what these targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build/site build/pictures sample_models/*/audit
