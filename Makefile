# The few commands of this repository: `make help`. Each brings what it needs, and does nothing twice.

.DEFAULT_GOAL := help
.PHONY: help setup tools built demo up test fuzz bench

# One target folder outside the clone, so that a second clone on this machine finds the dependencies built.
CACHE_HOME := $(or $(XDG_CACHE_HOME),$(addsuffix /.cache,$(HOME)))
ifeq ($(strip $(CARGO_TARGET_DIR)),)
  CARGO_TARGET_DIR := $(if $(CACHE_HOME),$(CACHE_HOME)/ambit/target,$(CURDIR)/target)
endif
export CARGO_TARGET_DIR

# Clones share the target folder but never their own crates' artefacts (see xtask/rustc; clippy records CLIPPY_CONF_DIR as an
# input). CI clones are always newer than what they find built, so they share one set, and a machine's cache does not grow.
ifeq ($(CI)$(RUSTC_WORKSPACE_WRAPPER),)
  export RUSTC_WORKSPACE_WRAPPER := $(CURDIR)/xtask/rustc
endif
export CLIPPY_CONF_DIR := $(CURDIR)

# Where rustup cannot fetch the pinned toolchain, one of the same version under another name will do.
ifeq ($(shell cargo --version 2>/dev/null),)
  export RUSTUP_TOOLCHAIN := $(shell sh xtask/toolchain.sh)
endif

# In CI the lock file is what was reviewed; at a desk cargo may bring it up to date.
LOCKED := $(if $(CI),--locked)
PROFILE := $(if $(CI),ci,default)

XTASK = cargo run --quiet $(LOCKED) --package ambit-xtask --
AMBIT = $(CARGO_TARGET_DIR)/debug/ambit

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' Makefile

setup: ## system packages, the embedding model and its runtime library
	@sh xtask/prepare.sh packages
	@$(XTASK) model

tools: ## the cargo tools that `make test` needs
	@sh xtask/prepare.sh tools

# The whole workspace, so that dependencies are built once, with the features that the tests use too. Server and bundle are built
# together, because a page and its bundle must come from the same sources.
built: setup
	@sh xtask/prepare.sh web
	cargo build $(LOCKED) --workspace --bins
	@$(XTASK) web --if-possible

demo: built ## compile the sample workspace, make it live, route three questions, make the first key
	@$(XTASK) demo $(AMBIT)

up: built ## the demo, then serve its pages and API on http://127.0.0.1:8420 until Ctrl-C
	@$(XTASK) up $(AMBIT)

# At a desk without a compiler for WebAssembly, without a browser, Postgres or a solver, what needs them is skipped, and says so.
test: setup tools ## format, lints, licences and advisories of dependencies, browser bundle, all tests
	@sh xtask/prepare.sh web
	@sh xtask/prepare.sh browser
	@sh xtask/prepare.sh postgres
	@sh xtask/prepare.sh solver
	cargo fmt --all --check
	cargo clippy $(LOCKED) --workspace --all-targets -- -D warnings
	cargo deny $(LOCKED) --log-level error check bans licenses sources
	@sh xtask/advisories.sh
	@$(XTASK) web $(if $(CI),,--if-possible)
	cargo test $(LOCKED) --doc --workspace
	sh xtask/postgres.sh cargo nextest run $(LOCKED) --workspace --profile $(PROFILE)

fuzz: SEED := $(or $(SEED),$(shell date +%s))
fuzz: setup ## many worlds for the matrix of doors and principals, many applies that are killed: WORLDS=120, KILLS=1000, SEED=the time
	@sh xtask/prepare.sh postgres
	AMBIT_MATRIX_WORLDS=$(or $(WORLDS),120) AMBIT_MATRIX_SEED=$(SEED) AMBIT_KILLS=$(or $(KILLS),1000) AMBIT_KILLS_SEED=$(SEED) \
	  sh xtask/postgres.sh cargo nextest run $(LOCKED) --workspace --profile fuzz -E 'binary(matrix) + binary(killed)'

bench: setup ## print the numbers: times, memory and routing quality
	cargo build $(LOCKED) --release --workspace
	cargo bench $(LOCKED) --workspace --bench numbers --bench authority --bench intake --bench large --bench retrieval --bench serving --bench routing
