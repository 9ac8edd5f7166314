# make generate   compile the example designs into generated/
# make check      fail when generated/ and the designs have drifted apart
# make test       the whole suite, then its core on every other supported Python of this machine
# make proof      the laws of the contract on twenty times as many random designs and inputs (about an hour)
# make frameworks the definitions in agent frameworks: pydantic-ai, openai-agents and langchain
# make lint       ruff, mypy and pyright
# make bench      the benchmarks
# make corpus     import schemas that others wrote, and try their instances on what they compile to
#
# Each makes the virtual environment it needs under the repo. PYTHON names the interpreter (3.11 or newer) to make it
# with: python3, or where that is older the first newer one of this machine. JOBS is the number of test processes.

PYTHON ?= $(shell python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
    && echo python3 || sh .ci/pythons | head -n 1)
JOBS ?= 2
VENV ?= .venv
EXTRA ?= dev
CONSTRAINTS ?= constraints.txt

BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed-$(EXTRA)

.PHONY: generate check test suite other-pythons frameworks proof lint bench corpus
.DEFAULT_GOAL := test

generate: $(INSTALLED)
	$(BIN)/python -m toolgen generate

check: $(INSTALLED)
	$(BIN)/python -m toolgen check

test: suite other-pythons

suite: $(INSTALLED)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

# Tests marked "once" do not depend on the Python version; property tests try fewer examples here.
other-pythons: $(INSTALLED)
	@sh .ci/pythons $(BIN)/python | while read -r python; do \
	    version=$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])') && \
	    echo "Python $$version: $$python" && \
	    $(MAKE) --no-print-directory suite PYTHON="$$python" VENV=.venv-$$version EXTRA=test \
	        PYTEST_ARGS="-q -m 'not once' --hypothesis-profile=quick" </dev/null || exit 1; \
	done

# Kept apart: they want other versions than the providers' SDKs, and one brings a plugin that every test would load.
frameworks:
	$(MAKE) --no-print-directory suite VENV=.venv-frameworks EXTRA=frameworks CONSTRAINTS=/dev/null \
	    PYTEST_ARGS="tests/providers/test_agent_frameworks.py $(PYTEST_ARGS)"

proof: $(INSTALLED)
	TOOLGEN_PROOF=20 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal tests/proof $(PYTEST_ARGS)

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright

bench: $(INSTALLED)
	@for benchmark in $(sort $(wildcard benchmarks/bench_*.py)); do \
	    echo "$$benchmark" && $(BIN)/python "$$benchmark" || exit 1; \
	done

corpus: $(INSTALLED)
	$(BIN)/python benchmarks/corpus/run.py

# Pins come from constraints.txt; the build tools go in first, so that the build of toolgen itself uses the pinned ones.
$(INSTALLED): pyproject.toml constraints.txt
	@"$(PYTHON)" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	    { echo "toolgen needs Python 3.11 or newer, with venv: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	@echo "Installing what toolgen's $(EXTRA) extra needs into $(VENV), which takes some minutes the first time"
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || "$(PYTHON)" -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS) hatchling editables
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS) \
	    --no-build-isolation --editable '.[$(EXTRA)]'
	@touch $@
