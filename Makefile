# What a person types. Python 3.11 or newer with venv, and make, must be there; the rest is set up here.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: run test test-long test-train setup test-setup train-setup firmware lint clean

run: setup
	$(BIN)/kiosk run $(ARGS)

test: test-setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -m "not long and not train" --numprocesses 2 --dist loadscope --no-loadscope-reorder \
	  --durations 15 $(ARGS)

test-long: test-setup
	$(BIN)/pytest -m "not train" --timeout 3600 $(ARGS)

test-train: train-setup
	$(PIP) --editable '.[test]'
	$(BIN)/pytest -m train $(ARGS)

setup: $(VENV)/.runtime
test-setup: $(VENV)/.test
train-setup: $(VENV)/.train

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python's venv is missing. On Debian or Ubuntu type: sudo apt-get install python3-venv"; \
	    rm -rf $(VENV); exit 2; }

$(VENV)/.runtime: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable .
	@$(BIN)/python -m kiosk.system_libraries
	@touch $@

$(VENV)/.test: $(VENV)/.runtime
	$(PIP) --editable '.[test]'
	@touch $@

$(VENV)/.train: $(VENV)/.runtime
	$(PIP) --editable '.[train]'
	@sh models/training/install-artwork.sh
	@touch $@

firmware:
	$(MAKE) -C firmware_bridge/firmware

lint: test-setup
	$(BIN)/ruff check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) build dist *.egg-info
