# `make demo` and `make test` set up all they need, in .venv and, where that is allowed, from Debian's packages.

PYTHON ?= python3
GAME ?= bagatelle
JOBS ?= 2
BIN := .venv/bin
CODE := controller hardware firmware_bridge tests bench

# Package=program, or a file of it: what the tests use beside Python. What is missing is left out, and said at the end; with CI=true it fails.
TEST_PACKAGES := mosquitto=mosquitto chromium=chromium,chromium-browser,google-chrome \
    espeak-ng=espeak-ng nodejs=node npm=npm \
    gcc-avr=avr-gcc avr-libc=/usr/lib/avr/include/avr/io.h simavr=simavr libsimavr-dev=/usr/include/simavr/sim_avr.h avrdude=avrdude \
    arduino-core-avr=/usr/share/arduino/hardware/arduino/avr/bootloaders \
    qemu-system-x86=qemu-system-x86_64 gcc=gcc libc6-dev=/usr/include/stdio.h cpio=cpio kmod=depmod e2fsprogs=mkfs.ext4 udev=udevadm

.PHONY: demo test check bench pictures clean help
.DEFAULT_GOAL := help

help:
	@echo 'make demo      a simulated game: prints the address of the scoreboard (GAME=$(GAME))'
	@echo 'make test      every check and test that this machine can run, in $(JOBS) processes (JOBS=4 for more)'
	@echo 'make check     formatting, types and import arrows alone'
	@echo 'make bench     measure, against a bare reference on this machine'
	@echo 'make pictures  take the pictures of docs/images anew, with the browser'
	@echo 'make clean     remove what these have made'
	@echo "ARGS goes to the program: make demo ARGS='--port 8081', make bench ARGS=rules, make test ARGS=tests/controller/rules"

demo: .venv/.demo
	@$(BIN)/tablemarker demo $(GAME) $(ARGS)

test: check packages
	@$(BIN)/python -m pytest -q --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS)

check: .venv/.dev
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: .venv/.dev
	@$(BIN)/python -m bench $(ARGS)

pictures: .venv/.dev
	@$(BIN)/python -m tests.pictures

clean:
	rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: packages
packages:
	@.ci/debian.sh $(TEST_PACKAGES) || [ "$$CI" != true ]

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 'tablemarker needs Python 3.11 or newer; another one: make PYTHON=/path/to/python3.x' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || .ci/debian.sh python3-venv
	@echo 'Making .venv …'
	@$(PYTHON) -m venv .venv

.venv/.demo: pyproject.toml | .venv/bin/python
	@echo 'Installing tablemarker into .venv …'
	@$(BIN)/python -m pip install -q -e '.[demo]'
	@touch $@

# lgpio has wheels for some Pythons alone, and needs a compiler and swig elsewhere: only the tests on its own lines want it.
.venv/.dev: pyproject.toml | .venv/bin/python
	@echo 'Installing tablemarker and the tools of its tests into .venv …'
	@$(BIN)/python -m pip install -q --upgrade 'pip>=25.1' # the first that knows dependency groups
	@$(BIN)/python -m pip install -q -e '.[demo]' --group dev
	@$(BIN)/python -m pip install -q --only-binary lgpio -e '.[lgpio]' 2>/dev/null || \
	    { echo 'There is no ready-made lgpio for this Python: its tests are left out.' >&2; [ "$$CI" != true ]; }
	@touch $@ .venv/.demo
