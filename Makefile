# Everything here works on a machine that has only Python >= 3.11 (with venv), pip and make.
PYTHON ?= python3
PYTEST_ARGS ?=
CODE := src tests docs benchmarks
BIN := .venv/bin

# A real, small project to try it on: the source release of flask, pinned by version and digest.
TRY := flask-3.1.1
TRY_PIN := flask==3.1.1 --hash=sha256:284c7b8f2f58cb737f0cf1c30fd7eaf0ccfcde196099d24ecede3fc2005aa59e

.PHONY: help try check fix docs clean soak bench-quality bench-speed

help:
	@echo "make try     install into .venv, index $(TRY), ask it a question"
	@echo "make check   install into .venv, then format, lint, types, layers, docs and tests"
	@echo "make fix     format, and mend what the linter can"
	@echo "make soak    random walks, kills and crowds on indexes, for half an hour"
	@echo "make docs    write the generated pages anew"
	@echo "make bench-quality, make bench-speed     the tables of benchmarks/README.md"
	@echo "make clean   remove what the above made"

try: build/try/$(TRY)
	$(BIN)/trig index build/try/$(TRY)
	$(BIN)/trig search "how is a session cookie signed" build/try/$(TRY) --limit 5

build/try/$(TRY): .venv/installed
	mkdir -p build/try
	echo "$(TRY_PIN)" > build/try/requirements.txt
	$(BIN)/pip download --quiet --no-deps --no-binary :all: --require-hashes -d build/try -r build/try/requirements.txt
	tar -xzf build/try/$(TRY).tar.gz -C build/try

check: .venv/installed-dev
	$(BIN)/ruff format --check --quiet $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest $(PYTEST_ARGS)

fix: .venv/installed-dev
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

# Prints how many steps, kills and searches there were; any difference or error fails.
soak: .venv/installed-dev
	SOAK_STEPS=2500 SOAK_KILLS=520 SOAK_SECONDS=60 $(BIN)/python -m pytest -s tests/test_soak_equality.py \
	    tests/test_soak_kills.py tests/test_soak_crowd.py

docs: .venv/installed-dev
	$(BIN)/python docs/generate.py

.venv/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/installed-dev: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

# benchmarks/README.md says what DATA, MIRROR, REPORTS, WORK and SEMBLE are.
bench-quality: .venv/installed
	$(BIN)/python benchmarks/quality/run.py --data $(DATA) --mirror $(MIRROR) --reports $(REPORTS) --work $(WORK) \
	    --trig $(BIN)/trig --systems trig,trig:fast,bm25,bm25-files,ripgrep --out $(WORK)/quality.json

bench-speed: .venv/installed
	test -d $(WORK)/mixed || $(BIN)/python benchmarks/speed/corpus.py $(WORK)/mixed --git
	$(BIN)/python benchmarks/speed/run.py $(WORK)/mixed --work $(WORK)/speed --trig $(BIN)/trig \
	    $(if $(SEMBLE),--semble $(SEMBLE) --semble-model $(SEMBLE_MODEL))

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
