# gpudx: one makefile, GNU make. `make help` lists the targets.
#
#   make demo    get what is missing, build, analyse a sample, say where the report is
#   make check   get what the tests need, run them all; closes with "N passed, N failed"
#
# Builds live apart by mode, so changing it needs no clean:
#   MODE=rel (default, build/), asan, cov, fuzz (build/<mode>/)

MODE ?= rel
B := $(if $(filter rel,$(MODE)),build,build/$(MODE))
V ?= 0
Q := $(if $(filter 1,$(V)),,@)
VERSION := 0.1.0
PREFIX ?= /usr/local

CC_rel := cc
CC_asan := cc
CC_cov := cc
CC_fuzz := clang
ifeq ($(origin CC),default)
CC := $(CC_$(MODE))
endif

# What the machine offers against code that was led astray; the e2e test "hardening" reads the result.
ARCH := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
HARDEN_x86_64 := -fcf-protection=full
HARDEN_aarch64 := -mbranch-protection=standard
OPT_rel := -O3 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection $(HARDEN_$(ARCH)) -fPIE
OPT_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
OPT_cov := -O0 -g --coverage -DGPUDX_COVERAGE
OPT_fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=undefined,float-cast-overflow -fno-omit-frame-pointer
LD_rel := -pie -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code
LD_asan := -fsanitize=address,undefined
LD_cov := --coverage
LD_fuzz := -fsanitize=address,undefined

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wformat=2 -Wvla -Wwrite-strings \
	-Wstrict-prototypes -Wmissing-prototypes -Wundef -fno-common
WARN += $(if $(WERROR),-Werror)

# pkg-config is asked when the first file is compiled, not when make starts: it may have to be
# installed by this very make.
PKGS := libarchive libpcre2-8 sqlite3 zlib nettle
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)

# Where it was built is nobody's business, and the same sources give the same bytes (make repro).
STD := -std=c17 -D_GNU_SOURCE -DGPUDX_VERSION='"$(VERSION)"' -ffile-prefix-map=$(CURDIR)=.
CFLAGS ?=
LDFLAGS ?=
# The tool proves the public interface: it sees include/, not src/.
LIB_CFLAGS = $(STD) $(OPT_$(MODE)) $(WARN) -Iinclude -Isrc $(PKG_CFLAGS) -pthread $(CFLAGS)
CLI_CFLAGS = $(STD) $(OPT_$(MODE)) $(WARN) -Iinclude $(CFLAGS)

LIB_SRC := $(sort $(wildcard src/base/*.c src/bundle/*.c src/parse/*.c src/ingest/*.c src/sig/*.c \
	src/store/*.c src/redact/*.c src/derive/*.c src/rules/*.c src/compare/*.c src/report/*.c \
	src/ticket/*.c src/case/*.c))
CLI_SRC := $(sort $(wildcard src/cli/*.c))
EMBED := src/case/gpudx-collect.sh $(sort $(wildcard src/ticket/*.sql src/ticket/postmortem/*.sql)) src/store/schema.sql $(sort $(shell find rules -type f \( -name '*.tsv' -o -name '*.sql' \) 2>/dev/null)) \
	$(sort $(wildcard src/report/assets/*))

LIB_OBJ := $(LIB_SRC:%.c=$(B)/obj/%.o) $(B)/obj/embed.o
CLI_OBJ := $(CLI_SRC:%.c=$(B)/obj/%.o)

.PHONY: all lib demo check check-unit check-golden check-rules check-e2e check-asan bless cov valgrind torture repro fuzz fuzz-smoke fuzz-build fuzz-targets \
	lint format format-check accuracy accuracy-compare bench docs install uninstall clean help deps test-deps lint-deps \
	test-programs FORCE
# The two commands of the README use all cores unless told otherwise.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

all: $(B)/gpudx ## build the program

lib: $(B)/libgpudx.a ## build the library

$(B)/gpudx: $(CLI_OBJ) $(B)/libgpudx.a
	@echo "  LINK    $@"
	$(Q)$(CC) $(LD_$(MODE)) $(LDFLAGS) -pthread -o $@ $(CLI_OBJ) $(B)/libgpudx.a $(PKG_LIBS) -lm

$(B)/libgpudx.a: $(LIB_OBJ)
	@echo "  AR      $@"
	$(Q)rm -f $@ && ar rcsD $@ $(LIB_OBJ)

$(B)/obj/src/cli/%.o: src/cli/%.c $(B)/flags
	@echo "  CC      $<"
	@mkdir -p $(@D)
	$(Q)$(CC) $(CLI_CFLAGS) -MMD -MP -c $< -o $@

$(B)/obj/%.o: %.c $(B)/flags
	@echo "  CC      $<"
	@mkdir -p $(@D)
	$(Q)$(CC) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

$(B)/gen/embed.c: $(EMBED) $(B)/gen/embed.list src/tools/embed.sh
	@echo "  EMBED   $@"
	$(Q)sh src/tools/embed.sh $(EMBED) > $@

$(B)/obj/embed.o: $(B)/gen/embed.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(LIB_CFLAGS) -c $< -o $@

# Rewritten only when its content changes, so that other flags or files rebuild what they must.
define stamp
@mkdir -p $(@D)
@printf '%s\n' $(1) | cmp -s - $@ || printf '%s\n' $(1) > $@
endef

$(B)/flags: FORCE
	$(call stamp,'$(CC) $(subst ','"'"',$(STD)) $(OPT_$(MODE)) $(WARN) $(CFLAGS)')

$(B)/gen/embed.list: FORCE
	$(call stamp,'$(EMBED)')

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(wildcard $(B)/obj/tests/*/*.d)

# ---- what must be installed ----

deps:
	@sh src/tools/deps.sh build

test-deps:
	@sh src/tools/deps.sh build test

lint-deps:
	@sh src/tools/deps.sh build test lint

# ---- tests ----

TEST_TOOLS := $(B)/gpudx-dump $(B)/gpudx-judge $(B)/gpudx-rule $(B)/gpudx-render $(B)/inject.so
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT := $(UNIT_SRC:tests/unit/%.c=$(B)/tests/%)

$(B)/gpudx-dump: $(B)/obj/tests/golden/dump.o $(B)/libgpudx.a
	@echo "  LINK    $@"
	$(Q)$(CC) $(LD_$(MODE)) $(LDFLAGS) -pthread -o $@ $^ $(PKG_LIBS) -lm

$(B)/gpudx-judge: $(B)/obj/tests/rules/judge.o $(B)/libgpudx.a
	@echo "  LINK    $@"
	$(Q)$(CC) $(LD_$(MODE)) $(LDFLAGS) -pthread -o $@ $^ $(PKG_LIBS) -lm

$(B)/gpudx-rule: $(B)/obj/tests/rules/rule.o $(B)/libgpudx.a
	@echo "  LINK    $@"
	$(Q)$(CC) $(LD_$(MODE)) $(LDFLAGS) -pthread -o $@ $^ $(PKG_LIBS) -lm

$(B)/inject.so: tests/torture/inject.c $(B)/flags
	@echo "  LINK    $@"
	$(Q)$(CC) -std=gnu17 -O1 -g -fPIC -shared $(WARN) -o $@ $<

$(B)/tests/%: $(B)/obj/tests/unit/%.o $(B)/libgpudx.a
	@echo "  LINK    $@"
	@mkdir -p $(@D)
	$(Q)$(CC) $(LD_$(MODE)) $(LDFLAGS) -pthread -o $@ $^ $(PKG_LIBS) -lcmocka -lm

$(B)/gpudx-render: $(B)/obj/tests/report/render.o $(B)/libgpudx.a
	@echo "  LINK    $@"
	$(Q)$(CC) $(LD_$(MODE)) $(LDFLAGS) -pthread -o $@ $^ $(PKG_LIBS) -lm

.SECONDARY: $(UNIT_SRC:%.c=$(B)/obj/%.o)

test-programs: all $(TEST_TOOLS) $(UNIT)

define run_tests
+@$(MAKE) --no-print-directory $(JOBS) MODE=$(MODE) test-programs
@B=$(B) T='$(T)' sh tests/run.sh $(1)
endef

check: test-deps ## get what the tests need and run them all (T=pattern filters)
	$(call run_tests,unit golden rules e2e)

check-unit: test-deps ## only the unit tests; likewise check-golden, check-rules, check-e2e
	$(call run_tests,unit)

check-golden: test-deps
	$(call run_tests,golden)

check-rules: test-deps
	$(call run_tests,rules)

check-e2e: test-deps
	$(call run_tests,e2e)

accuracy-compare: test-deps ## does compare find what was planted? 200 pairs each; SEED=1
	+@$(MAKE) --no-print-directory $(JOBS) all
	@python3 tests/compare/accuracy.py $(B)/gpudx all $(or $(SEED),1)

cov: ## what the tests reach, per folder (gcov)
	+@$(MAKE) --no-print-directory MODE=cov check || true
	@B=build/cov sh tests/cov.sh

valgrind: test-deps ## a few runs and unit tests under valgrind; needs valgrind
	+@$(MAKE) --no-print-directory all $(UNIT)
	@B=$(B) sh tests/valgrind.sh

torture: test-deps ## whatever can fail does: each way to an allocation, each call of the kernel, 200 kills a command
	+@$(MAKE) --no-print-directory $(JOBS) test-programs
	@PYTHONDONTWRITEBYTECODE=1 python3 tests/torture/torture.py $(B) $(B)/inject.so $(TORTURE)

repro: deps ## builds twice, in two places and with other settings: the same bytes?
	@sh tests/repro.sh

check-asan: ## all tests under the address and undefined-behaviour sanitizers
	+@$(MAKE) --no-print-directory MODE=asan check

bless: all $(TEST_TOOLS) ## rewrite the goldens; look at `git diff` as at code
	@B=$(B) T='$(T)' sh tests/bless.sh
	@git --no-pager diff --stat

# ---- fuzzing ----

FUZZ := $(patsubst tests/fuzz/%.c,$(B)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
SECONDS ?= 60

$(B)/fuzz_%: $(B)/obj/tests/fuzz/fuzz_%.o $(B)/libgpudx.a
	@echo "  LINK    $@"
	$(Q)$(CC) $(LD_$(MODE)) -fsanitize=fuzzer $(LDFLAGS) -pthread -o $@ $^ $(PKG_LIBS) -lm

.SECONDARY: $(FUZZ:$(B)/%=$(B)/obj/tests/fuzz/%.o)

fuzz-build: lint-deps
	+@$(MAKE) --no-print-directory MODE=fuzz fuzz-targets

fuzz-targets: $(FUZZ)

fuzz: fuzz-build ## fuzz every target for SECONDS=60 (T=pattern filters, e.g. T=parser/lspci)
	@B=build/fuzz T='$(T)' SECONDS_EACH=$(SECONDS) sh tests/fuzz/run.sh

SMOKE ?= 4
fuzz-smoke: fuzz-build ## the same, SMOKE=4 seconds each
	@B=build/fuzz T='$(T)' SECONDS_EACH=$(SMOKE) SEED=1 sh tests/fuzz/run.sh

# ---- the demo ----

demo: deps ## get what is missing, build, analyse samples/power-cap
	+@$(MAKE) --no-print-directory $(JOBS) all
	@mkdir -p $(B)/demo
	@cd $(B)/demo && $(CURDIR)/$(B)/gpudx analyze $(CURDIR)/samples/power-cap
	@printf '\nThe report with its graphs: %s\n' $(CURDIR)/$(B)/demo/power-cap.gpudx.html

# ---- housekeeping ----

docs: $(B)/gpudx-dump ## write the generated pages of docs/
	@for page in parsers schema; do B=$(B) sh src/tools/docs.sh $$page >docs/$$page.md || exit; done

lint: lint-deps ## boundaries, symbols, rules, sizes, banned functions, clang-tidy, cppcheck, shellcheck
	+@$(MAKE) --no-print-directory $(JOBS) test-programs
	+@B=$(B) MAKE='$(MAKE)' sh tests/lint/run.sh

format: ## clang-format 14 over all C
	@clang-format -i $$(git ls-files '*.c' '*.h')

format-check:
	@sh tests/lint/format.sh

clean: ## remove all builds
	rm -rf build

install: all ## PREFIX, DESTDIR
	install -D -m 755 $(B)/gpudx $(DESTDIR)$(PREFIX)/bin/gpudx
	install -D -m 755 src/case/gpudx-collect.sh $(DESTDIR)$(PREFIX)/bin/gpudx-collect

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/gpudx $(DESTDIR)$(PREFIX)/bin/gpudx-collect

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

accuracy: deps ## how often verdicts are right: labels, healthy bundles, mutations (some minutes)
	+@$(MAKE) --no-print-directory $(JOBS) all
	@PYTHONDONTWRITEBYTECODE=1 python3 tests/accuracy/accuracy.py $(B)/gpudx

bench: deps ## speed as ratios against gzip and others; ROWS="ingest klog" RUNS=5; inputs in ~/.cache/gpudx-bench
	+@$(MAKE) --no-print-directory all
	@python3 tests/bench/bench.py $(B)/gpudx
