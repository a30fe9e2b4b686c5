# From a fresh checkout, with Python ≥ 3.11 and make. Each target first adds to .venv what it needs, and no more.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TESTS := $(VENV)/.ready-dev
BOOK := $(VENV)/.ready-book
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
VERIFY_FLAGS ?=
TEST_FLAGS ?= -n 2 --dist loadgroup

.PHONY: verify search help kernel coq test test-all fuzz check book pdf bench oracles runs clean

verify: $(READY)
	@echo "replaying the proof of every claim takes half a minute or a minute; verdicts come as they are certain" >&2
	@$(BIN)/grpo-symbolic verify $(VERIFY_FLAGS)

# Everything looked for anew, by all engines, and compared with the proofs that are kept: FILES says of which files.
FILES ?=
search: $(READY)
	@$(BIN)/grpo-symbolic verify --search $(VERIFY_FLAGS) $(FILES)

help:
	@printf '%s\n' \
		'make verify    every claim, as a table, its proof replayed (about 500 MB; half a minute or a minute at the first run, a second after it)' \
		'make search    every proof looked for anew, by all engines, and compared with what is kept (an hour; FILES=… for some)' \
		'make check     layout, linting, types, imports' \
		'make test      the same, and the tests but for the slow ones (some gigabytes, PyTorch among them)' \
		'make test-all  the same, and every test, notebooks included: what CI runs' \
		'make book      the book of derivations, into book/_build/html' \
		'make pdf       its main text as one PDF, which the book then links to (needs Chromium; some minutes more)' \
		'make bench     the benchmarks of docs/reference/benchmarks.md' \
		'make fuzz      random statements before every engine: FUZZ=20000 says how many' \
		'make kernel    the claims that have a proof for the kernel of Coq (needs coqtop)' \
		'make coq       the theorems behind the rules, compiled and checked (needs coqc)' \
		'make oracles   our losses against those of the trainers (an environment of their own, 4 GB)' \
		'make runs      runs against predictions, for docs/reference/runs.md (the same environment; ten minutes)' \
		'make clean     environments, stores and builds, gone'

# The claims that have a proof for Coq's kernel, from scratch, and those that follow from the theorems of their names:
# needs coqtop with Coquelicot and Interval (docs/explanation/kernel.md).
KERNEL_FLAGS ?=
kernel: $(READY)
	@if command -v coqc >/dev/null; then $(MAKE) --no-print-directory -C coq; fi
	@$(BIN)/grpo-symbolic kernel --fresh $(KERNEL_FLAGS)

# The theorems that stand alone: compiled from the sources, their axioms looked at, checked again by coqchk
# (coq/README.md). Then the schemas of the rules are proved from them (docs/explanation/schemas.md).
coq: $(READY)
	@command -v coqc >/dev/null || \
		{ echo "make coq needs coqc of Coq 8.16 with Coquelicot and Interval, and none was found: see coq/README.md" >&2; exit 1; }
	@$(MAKE) --no-print-directory -C coq check
	@$(BIN)/python -m grpo_symbolic.proof.coq.acceptance

# Array libraries start threads, and other tests fork: apart.
ARRAYS := tests/numeric tests/export/test_numeric.py
# The notebooks run from top to bottom, one after the other in a process, and must print what they have stored.
NOTEBOOKS := --dist loadfile --nbval --nbval-sanitize-with book/notebooks/sanitize.cfg book/notebooks
test: check $(BOOK)
	$(BIN)/python -m pytest -m "not slow" $(TEST_FLAGS) $(ARRAYS)
	$(BIN)/python -m pytest -m "not slow" $(TEST_FLAGS) $(addprefix --ignore=,$(ARRAYS))

# The tests that are marked slow too, each of which says what it guards, and the notebooks: what CI runs.
test-all: check $(BOOK)
	$(BIN)/python -m pytest $(TEST_FLAGS) $(ARRAYS)
	$(BIN)/python -m pytest $(TEST_FLAGS) $(addprefix --ignore=,$(ARRAYS))
	$(BIN)/python -m pytest $(TEST_FLAGS) $(NOTEBOOKS)

# Random statements before every engine, compared with exact evaluation: make fuzz FUZZ=20000.
FUZZ ?= 2000
fuzz: $(TESTS)
	@$(BIN)/python -W ignore tests/fuzz.py --count $(FUZZ)

check: $(TESTS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@echo "$$($(BIN)/python tests/prose.py | tail -n 1); $(BIN)/python tests/prose.py lists them"

# The ledger is put in place only if it says something new, so that a second build has nothing to do.
book: $(BOOK)
	@mkdir -p book/_build
	@$(BIN)/grpo-symbolic verify $(VERIFY_FLAGS) --json book/_build/ledger.new > book/_build/verify.txt || \
		{ cat book/_build/verify.txt; exit 1; }
	@tail -n 6 book/_build/verify.txt
	@cmp -s book/_build/ledger.new book/_build/ledger.json || mv book/_build/ledger.new book/_build/ledger.json
	@$(BIN)/python -m grpo_symbolic.book.live.runtime book/_build/live book/_build/ledger.json
	@$(BIN)/python -m grpo_symbolic.book.mathjax book/_build/mathjax
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet --doctree-dir book/_build/.doctrees book book/_build/html
	@echo "open book/_build/html/index.html, or with its live part, at http://127.0.0.1:8000/:"
	@echo "  python3 -m http.server --bind 127.0.0.1 --directory book/_build/html"

# The main text of the book, printed by the Chromium of the machine.
pdf: book
	@$(BIN)/python book/_ext/pdf.py book/_toc.yml book/_build

bench: $(TESTS)
	@for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done
	$(BIN)/python benchmarks/gpu.py
	$(BIN)/python benchmarks/page.py

# The trainers' own losses against ours, in an environment of their own: docs/how-to/trainers.md. All but TRL
# come without what their losses do not use; NEMO_RL, SLIME and PRIME_RL name checkouts of these, where there are any.
ORACLES := .venv-oracles
ORACLE := $(ORACLES)/bin/python
RUN_ORACLE := ../$(ORACLE) -m pytest -o addopts=-q -p no:cacheprovider
oracles: $(ORACLES)/.ready
	@PYTHONPATH=. $(ORACLE) oracles/releases.py
	@cd oracles && for file in trl callback verl openrlhf ms_swift unsloth; do echo "$$file:"; PYTHONPATH=.. $(RUN_ORACLE) test_$$file.py || exit 1; done
	@cd oracles && echo "trl 1.9:" && PYTHONPATH=../$(ORACLES)/trl-1.9:.. $(RUN_ORACLE) test_trl.py
ifdef NEMO_RL
	@cd oracles && echo "nemo-rl:" && PYTHONPATH=.. $(RUN_ORACLE) test_nemo_rl.py
else
	@echo "nemo-rl: skipped, since NEMO_RL names no checkout of NeMo-RL, which no package index has"
endif
ifdef SLIME
	@cd oracles && echo "slime:" && PYTHONPATH=.. $(RUN_ORACLE) test_slime.py
else
	@echo "slime: skipped, since SLIME names no checkout of slime, which no package index has"
endif
ifdef PRIME_RL
	@cd oracles && echo "prime-rl:" && PYTHONPATH=.. $(RUN_ORACLE) test_prime_rl.py
else
	@echo "prime-rl: skipped, since PRIME_RL names no checkout of prime-rl, which no package index has"
endif

$(ORACLES)/.ready: oracles/constraints.txt
	@echo "setting up $(ORACLES) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(ORACLES)
	@$(ORACLE) -m pip --disable-pip-version-check --quiet install -c oracles/constraints.txt torch trl pytest pyyaml lazy-loader scipy
	@$(ORACLE) -m pip --disable-pip-version-check --quiet install -c oracles/constraints.txt --no-deps \
		verl openrlhf ms-swift unsloth unsloth_zoo
	@$(ORACLE) -m pip --disable-pip-version-check --quiet install --no-deps --target $(ORACLES)/trl-1.9 trl==1.9.2
	@touch $@

# Runs with TRL's own losses and its own trainer against what is predicted: the numbers, and docs/reference/runs.md.
runs: $(READY) $(ORACLES)/.ready
	@cd oracles && PYTHONPATH=.. ../$(ORACLE) predict_runs.py
	@PYTHONPATH=. $(BIN)/python tests/runs_page.py

clean:
	rm -rf $(VENV) $(ORACLES) .grpo-symbolic build dist book/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The project's own dependencies, if the first word is all, and those of the named groups, each by its pinned version.
wanted = $(BIN)/python -c 'import sys, tomllib; t = tomllib.load(open("pyproject.toml", "rb")); own, *groups = sys.argv[1:]; \
	print(*t["project"]["dependencies"] * (own == "all"), *(d for g in groups for d in t["dependency-groups"][g]), sep="\n")'

# What verifying needs, the build backend included, and only then the project itself.
$(READY): constraints.txt pyproject.toml
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "grpo_symbolic needs Python 3.11 or newer, and none was found: name one with make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "setting up $(VENV) with $$($(PYTHON) --version): about 500 MB, less than a minute"
	@$(PYTHON) -m venv $(VENV)
	@$(wanted) all checkout > $(VENV)/requirements.txt
	@$(PIP) install -c constraints.txt -r $(VENV)/requirements.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# The last of its name is the group.
$(VENV)/.ready-%: $(READY)
	@echo "adding to $(VENV) what the group $* of pyproject.toml needs, PyTorch among it: some gigabytes, some minutes"
	@$(wanted) "" $* > $(VENV)/requirements-$*.txt
	@$(PIP) install -c constraints.txt -r $(VENV)/requirements-$*.txt
	@touch $@
