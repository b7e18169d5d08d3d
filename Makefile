# Everything a person types: run, test, eval, bench, clean. Each sets up what it needs by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?=

.PHONY: run test eval bench clean lint

run: $(VENV)/.run
	@$(BIN)/palace run

test: lint
	$(BIN)/pytest -n 2 --dist worksteal

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

eval: $(VENV)/.test
	@test -n "$(DATA)" || { echo 'Name the folder of the data sets: make eval DATA=path'; exit 2; }
	$(BIN)/python -m tests.evals all --data "$(DATA)" --split dev

bench: $(VENV)/.test
	$(BIN)/pytest -m bench -s tests

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build *.egg-info

$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo 'Python 3.11 or later is needed: python3 was not found'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Python 3.11 or later is needed'; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo 'Setting up (once, about 1.6 GB) …'
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.run requirements-dev.lock
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	@touch $@
