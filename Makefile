# Targets for contributors. .ci/run and GitHub's workflow call the same scripts. `make help` lists the targets.
PYTHON ?= .venv/bin/python

.PHONY: help setup test lint fix generate engine site peers random faults bench budget release-check ci nightly

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 16

setup: ## create .venv with everything that tests, lint and DataFusion need, and install the pre-commit hooks
	python3 -m venv --upgrade-deps .venv
	.venv/bin/pip install -q -e . --group test --group lint 'datafusion>=45' pre-commit
	.venv/bin/pre-commit install

test: ## run all tests except those of other engines
	$(PYTHON) -m pytest -q -n auto --dist worksteal --cases all

lint: ## check format, lint, types, SQL and generated files
	.ci/lint

fix: ## format Python and SQL, and fix lint errors
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	.venv/bin/sqlfluff fix --disable-progress-bar -q sql fixtures

generate: ## write the generated files: dbt macros, pages of docs, statements in fixtures
	$(PYTHON) -m recall_duckdb.macros
	$(PYTHON) docs/build.py
	$(PYTHON) fixtures/dialects/build.py
	$(PYTHON) fixtures/statements/build.py

engine: ## run the tests of one engine or tool: make engine ENGINE=DataFusion
	RECALL_DUCKDB_ENGINES=$(ENGINE) $(PYTHON) -m pytest -q -n auto -m needs tests

site: ## build the site in site/ and check its links
	.ci/docs site

peers: ## run the test suites of other packages on our metrics
	.ci/peers

random: ## compare the answers to 3,000 random questions with the reference in plain Python
	PYTHONPATH=.:tests $(PYTHON) -m random_data --processes 2

faults: ## put single faults into a copy of the code, and print those that no test sees: make faults BASE=main MOST=40
	$(PYTHON) tests/faults.py $(if $(BASE),--base $(BASE)) $(if $(MOST),--most $(MOST))

bench: ## run the benchmark on one million rows
	$(PYTHON) tests/benchmarks/run.py --rows 1000000 --only clustered --repeats 3

budget: ## write the lines, words and bytes of today as the limits in .ci/budget
	$(PYTHON) tests/budget.py

release-check: ## build the package, and check that it can be released (needs Python alone)
	python3 .ci/release/check.py

ci: ## run everything that must pass before a merge
	.ci/run

nightly: ## run the rest: all cases, all engines, other Pythons, the suites of other packages
	.ci/nightly
