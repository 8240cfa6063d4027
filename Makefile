# Everything that one does with a checkout. `make` lists it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Test processes side by side: one more than there are processors, since tests wait for servers
# nearly half of their time. `make test JOBS=0` runs them in one, as a debugger needs.
JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 1) + 1)))
PYTEST_ARGS ?=
BUF := .ci/node_modules/.bin/buf
DCLINT := .ci/node_modules/.bin/dclint
# What the example in Node.js stands on, for the test that lets it play.
NODE_BOT := examples/node/node_modules/.package-lock.json
PROTOS := $(wildcard protos/ginrummy/v1/*.proto)
STUBS := protos/ginrummy/v1
RELEASED := protos/released.binpb

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# One goal's output at a time, also where somebody's MAKEFLAGS say otherwise.
.NOTPARALLEL:

##@ Play
.PHONY: run
run: $(VENV)/.installed-run ## play a match between two bots, replay it, audit it
	@$(BIN)/gin demo

# Where `make cluster` keeps its log.
CLUSTER_DB ?= postgresql://root@127.0.0.1/postgres?options=-csearch_path%3Dgin_cluster

.PHONY: cluster
cluster: $(VENV)/.installed-dev ## run three servers of one PostgreSQL database, until Ctrl-C
	@$(BIN)/python examples/cluster.py '$(CLUSTER_DB)'

##@ Work on it
.PHONY: test soak bench check format
test: $(VENV)/.installed-dev $(NODE_BOT) ## run all tests
	$(BIN)/pytest -n $(JOBS) $(PYTEST_ARGS)

soak: $(VENV)/.installed-dev $(NODE_BOT) ## run all tests with their long counts
	GINRUMMY_SOAK=1 $(BIN)/pytest -n $(JOBS) $(PYTEST_ARGS)

bench: $(VENV)/.installed-dev ## measure, and write benchmarks/results.md
	$(BIN)/gin bench

check: check-format check-lint check-types check-imports check-protos check-generated check-containers ## run all checks, as CI does

format: $(VENV)/.installed-dev ## format the code, and mend what the linter can
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

##@ One check alone
.PHONY: check-format check-lint check-types check-imports check-protos check-generated
.PHONY: check-containers
check-format: $(VENV)/.installed-dev ## ruff: formatted
	$(BIN)/ruff format --check

check-lint: $(VENV)/.installed-dev ## ruff: no fault
	$(BIN)/ruff check

check-types: $(VENV)/.installed-dev ## mypy: strict
	$(BIN)/mypy

check-imports: $(VENV)/.installed-dev ## import-linter: no room imports what it should not know
	$(BIN)/lint-imports --no-logo

check-protos: $(BUF) ## buf: the protos are in form, and break no released client
	$(BUF) lint protos
	$(BUF) breaking protos --against $(RELEASED)

check-generated: $(VENV)/.installed-dev ## the committed stubs are what the protos generate
	@fresh=$$(mktemp -d) && trap 'rm -rf "$$fresh"' EXIT && \
	$(call protoc,$$fresh) && \
	diff -ru -x '*.proto' -x __init__.py -x py.typed -x __pycache__ $(STUBS) "$$fresh/ginrummy/v1" || \
	{ echo "run 'make generate', and commit what it makes" >&2; exit 1; }
	@echo "generated code is up to date"

check-containers: $(VENV)/.installed-dev $(DCLINT) ## hadolint and dclint: the image and the compose file
	$(BIN)/hadolint examples/containers/Containerfile
	@# An image that is built here has a name as well, for the other services.
	$(DCLINT) examples/containers/compose.yaml --quiet --disable-rule no-build-and-image

##@ The wire contract
.PHONY: generate release-protos
generate: $(VENV)/.installed-dev ## generate the stubs from the protos
	rm -f $(STUBS)/*_pb2*.py*
	$(call protoc,protos)

release-protos: $(BUF) ## take the protos as released: later ones may not break them
	$(BUF) build protos -o $(RELEASED)

##@ House-keeping
.PHONY: install clean help
install: $(VENV)/.installed-dev ## make the virtual environment with everything in it

clean: ## remove everything that was made here
	rm -rf $(VENV) .ci/node_modules examples/node/node_modules build dist .coverage
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## list what can be made
	@awk 'BEGIN { FS = ":.*## "; print "make TARGET, where TARGET is one of" } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

define protoc
$(BIN)/python -m grpc_tools.protoc -I protos \
	--plugin=protoc-gen-mypy=$(BIN)/protoc-gen-mypy \
	--plugin=protoc-gen-mypy_grpc=$(BIN)/protoc-gen-mypy_grpc \
	--python_out=$(1) --grpc_python_out=$(1) --mypy_out=quiet:$(1) --mypy_grpc_out=quiet:$(1) $(PROTOS)
endef

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 ...")'
	@# Half an environment would look like one to the next make.
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# A stamp is as old as the last installation; a changed pyproject.toml installs again.
$(VENV)/.installed-run: pyproject.toml | $(BIN)/python
	@echo "installing into $(VENV), once ..."
	@$(PIP) install -e '.[server,replays]'
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	@echo "installing everything for development into $(VENV), once ..."
	@$(PIP) install -e '.[dev]'
	@touch $@ $(VENV)/.installed-run

# npm leaves an existing file as it is, so the touch tells make that it is new.
$(BUF): .ci/package.json
	npm install --prefix .ci --no-package-lock --no-audit --no-fund --silent
	@touch $@

$(DCLINT): $(BUF)
	@touch $@

$(NODE_BOT): examples/node/package.json examples/node/package-lock.json
	npm ci --prefix examples/node --ignore-scripts --no-audit --no-fund --silent
	@touch $@
