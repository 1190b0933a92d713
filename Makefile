# What contributors run. Each target calls what .ci/run and GitHub's workflow call. `make help` lists the targets.
PYTHON ?= .venv/bin/python

.PHONY: help setup test lint fix generate engine site peers random bench ci

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

setup: ## make .venv with all that the tests, lint and DataFusion need, and install the hooks of pre-commit
	python3 -m venv .venv
	.venv/bin/pip install -q -e '.[test,lint]' 'datafusion>=45' pre-commit
	.venv/bin/pre-commit install

test: ## run the tests, without those of other engines
	$(PYTHON) -m pytest -q -n auto --dist worksteal

lint: ## check format, lint, types, SQL and generated files
	.ci/lint

fix: ## format Python and SQL, and mend what can be mended
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	.venv/bin/sqlfluff fix --disable-progress-bar -q sql fixtures

generate: ## write what is generated: the macros of dbt, pages of docs, the statements in fixtures/dialects
	$(PYTHON) -m recall_duckdb.dbt
	$(PYTHON) docs/build.py
	$(PYTHON) fixtures/dialects/build.py

engine: ## run the tests of one engine or tool: make engine ENGINE=DataFusion
	RECALL_DUCKDB_ENGINES=$(ENGINE) $(PYTHON) -m pytest -q -n auto -m needs tests

site: ## build the site in site/ and check its links
	.ci/docs site

peers: ## run the test suites of other packages on our metrics
	.ci/peers

random: ## compare 20,000 random data sets with the reference in plain Python
	PYTHONPATH=. $(PYTHON) tests/random_data.py

bench: ## run the benchmark on one million rows
	$(PYTHON) tests/benchmarks/run.py --rows 1000000 --only clustered --repeats 3

ci: ## run everything that must pass
	.ci/run
