# Needs python3 (3.11 or newer), pip and make. Everything else is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.developed
SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)

BENCH := .venv-bench
BENCH_STAMP := $(BENCH)/.installed

VIEW := .venv-view
VIEW_STAMP := $(VIEW)/.installed

BRIDGES := .venv-bridges
BRIDGES_STAMP := $(BRIDGES)/.installed

.PHONY: demo warm wheel wheels test test-fast test-bridges test-versions view-test gl-test cuda-test check docs format bench papers soak verify clean

demo: $(STAMP)  ## run the main job: built-in scenes with their answers
	$(BIN)/sweepscope demo

warm: $(STAMP)  ## compile all kernels now
	$(BIN)/sweepscope warm

wheel: $(DEV_STAMP) warm  ## a wheel with compiled kernels, for this Python, in dist/
	SWEEPSCOPE_COMPILED=1 $(BIN)/python -m hatchling build -t wheel

wheels:  ## such wheels for every Python present (3.11 to 3.14; PYTHONS="3.12 3.13" for some), each tried in an empty environment
	$(PYTHON) packaging/build_wheels.py $(PYTHONS)

test: $(DEV_STAMP) warm  ## run all tests
	$(BIN)/pytest --warmed

test-fast: $(DEV_STAMP) warm  ## for daily work: no tests over half a second, none that start a process
	$(BIN)/pytest -m "not slow and not bridges and not gl and not cuda"

test-bridges: $(BRIDGES_STAMP)  ## test the bridges to torch, jax, pandas, open3d, pyvista, python-fcl, toppra, ruckig, Dask and OMPL, in an environment of their own
	ldconfig -p | grep -q libusb-1.0 || $(SUDO) apt-get install -y libusb-1.0-0 || { $(SUDO) apt-get update && $(SUDO) apt-get install -y libusb-1.0-0; }  # open3d loads it
	$(BRIDGES)/bin/sweepscope warm
	$(BRIDGES)/bin/pytest -n 0 -p no:dash -m bridges tests/bridges tests/shapes tests/test_foreign.py  # open3d brings dash, whose plugin warns, and warnings are errors here

test-versions:  ## tests with the oldest and newest packages, on every Python present (an hour; VERSIONS="oldest 3.12" for some)
	$(PYTHON) packaging/try_versions.py $(VERSIONS)

view-test: $(VIEW_STAMP)  ## test the viewer with a real browser, and bridges to an older trimesh: viser wants one, so they share an environment
	command -v chromium > /dev/null || $(SUDO) apt-get install -y chromium || { $(SUDO) apt-get update && $(SUDO) apt-get install -y chromium; }
	$(VIEW)/bin/sweepscope warm
	$(VIEW)/bin/pytest -n 0 tests/viewer tests/bridges tests/shapes/test_given.py

gl-test: $(DEV_STAMP)  ## test pictures that OpenGL draws, on a graphics card or on Mesa's llvmpipe
	$(BIN)/python -c "from sweepscope.gl.card import renderer; renderer()" 2> /dev/null || $(SUDO) apt-get install -y libegl1 libgl1-mesa-dri || { $(SUDO) apt-get update && $(SUDO) apt-get install -y libegl1 libgl1-mesa-dri; }
	$(BIN)/sweepscope warm
	$(BIN)/pytest -n 0 -m gl tests/gl tests/test_docs.py lab/tests

cuda-test: $(DEV_STAMP)  ## test rows that an NVIDIA card answers; it needs the card, its driver and CUDA 13
	$(BIN)/python -m pip install -e ".[cuda]"
	$(BIN)/sweepscope warm
	$(BIN)/pytest -n 0 -m cuda tests/cuda tests/test_docs.py

check: $(DEV_STAMP) docs  ## format, lint, who imports whom, types, the site
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/pyright

docs: $(DEV_STAMP)  ## the pages as a site, into site/; a dead link is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict  # the switch silences an advertisement, no warning; --quiet would let dead links pass

format: $(DEV_STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(BENCH_STAMP)  ## side by side with rapier3d, coal, python-fcl and Embree (through Open3D and trimesh)
	$(BENCH)/bin/sweepscope bench translate --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/translate.json
	$(BENCH)/bin/sweepscope bench turn --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/turn.json
	$(BENCH)/bin/sweepscope bench scopes --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/scopes.json
	$(BENCH)/bin/sweepscope bench fans --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/fans.json
	$(BENCH)/bin/sweepscope bench volumes --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/volumes.json
	$(BENCH)/bin/sweepscope bench robots --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/robots.json
	$(BENCH)/bin/sweepscope bench large --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/large.json
	$(BENCH)/bin/sweepscope bench files --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/files.json
	$(BENCH)/bin/sweepscope bench many --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/many.json
	$(BENCH)/bin/sweepscope bench distance --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/distance.json
	$(BENCH)/bin/sweepscope bench overlaps --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/overlaps.json
	$(BENCH)/bin/sweepscope bench signed --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/signed.json
	$(BENCH)/bin/sweepscope bench rays --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/rays.json
	$(BENCH)/bin/sweepscope bench contacts --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/contacts.json
	$(BENCH)/bin/sweepscope bench way --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/way.json
	$(BENCH)/bin/sweepscope bench memory --json | $(BENCH)/bin/python -m json.tool --indent 1 > benchmarks/memory.json

papers: $(STAMP)  ## every table and figure of the papers, run again, on one page: papers-out/papers.html
	$(BIN)/sweepscope papers all --full --out papers-out

soak: $(STAMP)  ## long runs: 100,000 frames of bouncing balls, on radars and on sweeps; 60,000 steps of rolling (about 30 minutes)
	$(BIN)/sweepscope simulate bounce --frames 100000
	$(BIN)/sweepscope simulate bounce --frames 100000 --with sweep
	$(BIN)/sweepscope simulate roll --soak --steps 500

verify: $(STAMP)  ## the long proof: 10,000 pairs against exact arithmetic, 10,000 turns, 2,000 screws, a million fans, 10,000 overlaps, 1,000 robots, 10,000 copies, pickles and saved scenes, 1,000 scenes changed step by step, 60,000 random files, 40,000 bodies that touch, 100,000 motions in contact, 10,000 that part, 10,000 distances, 12,000 gradients, a walk of a million frames, half an hour of spoiled ones
	$(BIN)/sweepscope verify
	$(BIN)/sweepscope verify turn
	$(BIN)/sweepscope verify screw --cases 2000
	$(BIN)/sweepscope verify fans --cases 1000000
	$(BIN)/sweepscope verify swings --cases 1000000
	$(BIN)/sweepscope verify volumes
	$(BIN)/sweepscope verify robots --cases 1000
	$(BIN)/sweepscope verify travel --cases 10000
	$(BIN)/sweepscope verify sequences --cases 1000
	$(BIN)/sweepscope verify files
	$(BIN)/sweepscope verify touching
	$(BIN)/sweepscope verify contact
	$(BIN)/sweepscope verify contact --question normals --cases 20000 --seed 1
	$(BIN)/sweepscope verify partings
	$(BIN)/sweepscope verify distance
	$(BIN)/sweepscope verify gradients --cases 12000
	$(BIN)/sweepscope verify signed --cases 2000
	$(BIN)/sweepscope verify walk --cases 1000000
	$(BIN)/sweepscope fuzz --minutes 30

clean:
	rm -rf $(VENV) $(BENCH) $(VIEW) $(BRIDGES) .pytest_cache .ruff_cache build dist site

$(STAMP): pyproject.toml lab/pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --no-compile --editable . --editable lab  # Python compiles what it imports, when it does
	touch $@

$(DEV_STAMP): $(STAMP)
	$(PIP) --editable ".[dev,docs]" --editable lab
	touch $@

$(VIEW_STAMP): pyproject.toml lab/pyproject.toml
	test -x $(VIEW)/bin/python || $(PYTHON) -m venv $(VIEW)
	$(VIEW)/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[view-test]" --editable lab
	touch $@

$(BRIDGES_STAMP): pyproject.toml lab/pyproject.toml tests/bridges/constraints.txt
	test -x $(BRIDGES)/bin/python || $(PYTHON) -m venv $(BRIDGES)
	$(BRIDGES)/bin/python -m pip install --quiet --disable-pip-version-check --constraint tests/bridges/constraints.txt --editable ".[bridges-test]" --editable lab
	touch $@

$(BENCH_STAMP): pyproject.toml lab/pyproject.toml  # an environment of its own: open3d alone takes 900 MB
	test -x $(BENCH)/bin/python || $(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --editable . --editable "lab[bench]"
	touch $@
