# make demo and make test need Python 3.11 or newer, make and, for the native core, a C++ compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

SOURCES := $(shell find src native -type f -not -name '*.so' -not -path '*/__pycache__/*' | sort) \
	pyproject.toml CMakeLists.txt README.md
# A new name when a file comes or goes, which dates alone would not tell.
LISTED := $(VENV)/sources-$(firstword $(shell echo $(SOURCES) | cksum))

EXAMPLE := examples/judgments.qrels examples/bm25.run examples/dense.run examples/hybrid.run

.PHONY: help demo test check bench develop clean
help:
	@echo 'make demo     evaluate the example runs, print the table and write a report to look at'
	@echo 'make test     run the whole test suite, with the native core and then with the plain one'
	@echo 'make check    lint, formatting and types'
	@echo 'make bench    speed and memory beside the peers (ten minutes, 6 GB of disk)'
	@echo 'make develop  install so that changes to src/ work at once; again after a change to native/'
	@echo 'make clean    remove everything that the others made'

demo: $(VENV)/installed
	@$(BIN)/rankscope evaluate $(EXAMPLE)
	@echo
	@$(BIN)/rankscope report $(EXAMPLE) --title 'Three example runs' -o demo-report.html

test: $(VENV)/installed-test
	RANKSCOPE_ENGINE=$${RANKSCOPE_ENGINE:-native} $(BIN)/python -m pytest -q -n auto
	RANKSCOPE_ENGINE=plain $(BIN)/python -m pytest -q -n auto

check: $(VENV)/installed-check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: $(VENV)/installed
	$(BIN)/python bench/run.py

develop: $(LISTED)
	$(PIP) install -e '.[test,check]'
	@touch $(VENV)/installed $(VENV)/installed-test $(VENV)/installed-check

clean:
	rm -rf $(VENV) demo-report.html .bench build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/created:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(LISTED): | $(VENV)/created
	@rm -f $(VENV)/sources-*
	@touch $@

# Each of these brings what the ones before it need, so that the core is built once.
$(VENV)/installed: $(SOURCES) $(LISTED)
	@echo 'Installing Rankscope and building its core; this takes a minute or two.'
	$(PIP) install '.[report]'
	@touch $@

$(VENV)/installed-test: $(SOURCES) $(LISTED)
	@echo 'Installing Rankscope, its core and what the tests need; this takes a few minutes.'
	$(PIP) install '.[test]'
	@touch $(VENV)/installed $@

$(VENV)/installed-check: $(SOURCES) $(LISTED)
	@echo 'Installing Rankscope, its core and what tests and checks need; this takes a few minutes.'
	$(PIP) install '.[test,check]'
	@touch $(VENV)/installed $(VENV)/installed-test $@
