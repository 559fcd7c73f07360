# Everything a developer or an operator types. `make run` and `make test` need git, make and Python 3.11 to 3.14.

PYTHON ?= python3
VENV := .venv
PIP_INSTALL := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check
LOCKED := --no-deps --only-binary=:all: --require-hashes
LOCK := $(VENV)/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header --no-emit-index-url

PYTEST := $(VENV)/bin/pytest --numprocesses=6 --dist=worksteal

.PHONY: run test test-all lint format lock pictures policies measure clean

run: $(VENV)/installed
	@$(VENV)/bin/okey run

# Every worker reads all tests: three times as fast where the compiled ones are kept.
test test-all: export PYTHONDONTWRITEBYTECODE :=

# The rules, the program and the chats, and one match through each chat and the page.
test: $(VENV)/installed-dev
	@.ci/browser
	$(PYTEST) -m "not long" $(ARGS)

# Whole evenings, kills and browsers too.
test-all: $(VENV)/installed-dev
	@.ci/browser
	$(PYTEST) $(ARGS)

lint: $(VENV)/installed-dev
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(VENV)/bin/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	$(VENV)/bin/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/*.yml
	@.ci/types

format: $(VENV)/installed-dev
	$(VENV)/bin/ruff check --fix
	$(VENV)/bin/ruff format

# Both lists come from pyproject.toml, and the second builds on the first: what runs is what was tested.
# ARGS=--upgrade looks for newer versions.
lock: $(VENV)/installed-dev
	$(LOCK) --group build --output-file requirements.lock $(ARGS)
	$(LOCK) --group build --group dev --constraints requirements.lock --output-file requirements-dev.lock $(ARGS)

pictures: $(VENV)/installed-dev
	$(VENV)/bin/python docs/pictures/draw.py
	$(VENV)/bin/python docs/pictures/architecture.py

policies: $(VENV)/installed-dev
	$(VENV)/bin/python docs/policies.py

# How the program is built, in figures; ARGS="--beside PATH" puts those of another checkout beside them.
measure: $(VENV)/installed-dev
	$(VENV)/bin/python -m tests.measure $(ARGS)

clean:
	rm -rf $(VENV)

# The two marks are newer than what they were made from: an unchanged lock costs no call of pip.
$(VENV)/installed: requirements.lock pyproject.toml engine/arrange/_speedups.c engine/arrange/_rollouts.c
	@echo "Installing into $(VENV) (the first time takes a minute) …"
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
		|| { echo "Okey needs Python 3.11 to 3.14; name one with make PYTHON=…" >&2; exit 1; }
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@$(PIP_INSTALL) $(LOCKED) --requirement requirements.lock
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@$(VENV)/bin/python -c 'import engine.arrange._speedups' 2>/dev/null \
		|| echo "No C compiler, or no Python headers: computer players will think in Python, and less deeply."
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements-dev.lock
	@echo "Installing what the tests need …"
	@$(PIP_INSTALL) $(LOCKED) --requirement requirements-dev.lock
	@touch $@
