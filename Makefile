# tpa: where the GPU time goes.  `make help` lists what there is to make.

PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= build
CFLAGS ?= -O3 -g
PKG_CONFIG ?= pkg-config
INSTALL ?= install

TOOLS := $(sort $(patsubst tools/tpa-%.c,%,$(wildcard tools/tpa-*.c)))
BINARIES := $(TOOLS:%=$(BUILD)/bin/tpa-%)
LIB_OBJECTS := $(patsubst lib/%.c,$(BUILD)/lib/%.o,$(wildcard lib/*.c))
TOOL_OBJECTS := $(patsubst tools/%.c,$(BUILD)/tools/%.o,$(wildcard tools/*.c))
TEST_PROGRAMS := $(patsubst tests/helper/%.c,$(BUILD)/tests/%,$(wildcard tests/helper/*.c))
MAN_PAGES := $(wildcard man/*.[157])

# Worked out when first used, and then once: by then what is missing may have
# been installed by this very run.
once = $(eval $(1) := $(2))$($(1))
pkg_config = $(shell $(PKG_CONFIG) $(1) 2>/dev/null)
PACKAGES = $(call once,PACKAGES,json-c zlib $(if $(filter zlib,$(INFLATE)),,$(ISAL)))
ISAL = $(if $(call pkg_config,--modversion libisal),libisal)
PACKAGE_CFLAGS = $(call once,PACKAGE_CFLAGS,$(call pkg_config,--cflags $(PACKAGES)))
PACKAGE_LIBS = $(call once,PACKAGE_LIBS,$(call pkg_config,--libs $(PACKAGES)))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes
TPA_CFLAGS = -std=c11 -D_GNU_SOURCE -ffp-contract=off -pthread $(WARNINGS) $(if $(DEVELOPER),-Werror) \
	-Ilib $(PACKAGE_CFLAGS) $(if $(filter libisal,$(PACKAGES)),-DTPA_HAVE_ISAL)
TPA_LIBS = -Wl,--as-needed $(PACKAGE_LIBS) -pthread

# A short line for each step; `make V=1` shows the commands.
silent := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
say = $(if $(V),,@$(if $(silent),,printf '  %-5s %s\n' $(1) $@ && ))

all: $(BINARIES) $(BUILD)/libtpa.a | $(BUILD)/share

# Says what is missing to build, or to run the tests; for `make demo` and
# `make check` also installs it.
GOALS := $(or $(MAKECMDGOALS),all)
REQUIREMENTS = CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' sh contrib/requirements \
	$(if $(filter demo check check-% coverage,$(GOALS)),--install)

requirements:
	@$(REQUIREMENTS) build $(if $(filter check check-% coverage,$(GOALS)),check)

# Files that change only when what they hold does, for the objects to depend on.
define HOLD
@mkdir -p $(@D)
@printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(1))' >$@
endef

$(BUILD)/flags: FORCE | requirements
	$(call HOLD,$(CC) $(TPA_CFLAGS) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TPA_LIBS))

$(BUILD)/prefix: FORCE
	$(call HOLD,$(PREFIX))

$(BUILD)/lib/share.o: private DEFINES := -DTPA_SHARE_DIR='"$(PREFIX)/share/tpa"'
$(BUILD)/lib/share.o: $(BUILD)/prefix

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TPA_CFLAGS) $(DEFINES) $(CFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/libtpa.a: $(LIB_OBJECTS)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

# tpa-X is tools/tpa-X.c and every tools/X_*.c over the library.
define TOOL_RULE
$(BUILD)/bin/tpa-$(1): $(BUILD)/tools/tpa-$(1).o \
		$(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/$(1)_*.c)) $(BUILD)/libtpa.a
	@mkdir -p $$(@D)
	$$(call say,LINK)$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(TPA_LIBS)
endef
$(foreach tool,$(TOOLS),$(eval $(call TOOL_RULE,$(tool))))

$(BUILD)/tests/%: $(BUILD)/tests/helper/%.o $(BUILD)/libtpa.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(TPA_LIBS)

# This one is of a tool.
$(BUILD)/tests/helper/checksum.o: private DEFINES += -Itools
$(BUILD)/tests/checksum: $(BUILD)/tools/extract_check.o

# A tool in $(BUILD)/bin looks for its rules in $(BUILD)/share/tpa.
$(BUILD)/share:
	@mkdir -p $(@D)
	@ln -s '$(CURDIR)/share' $@

# A real trace: two streams, communication and Python frames.
DEMO := tests/traces/mi300-resnet-checkpoint.json.gz

demo: all
	@echo 'tpa-extract $(DEMO) |'
	@echo '    tpa-classify | tpa-overlap | tpa-srcmap | tpa-rank | tpa-fmt'
	@echo
	@PATH='$(abspath $(BUILD))/bin':"$$PATH" bash -o pipefail -c 'tpa-extract $(DEMO) | \
		tpa-classify | tpa-overlap | tpa-srcmap | tpa-rank | tpa-fmt'

check: all $(TEST_PROGRAMS)
	@TPA_BIN='$(abspath $(BUILD))/bin' V='$(or $(V),$(TEST))' \
		bash tests/run $(if $(TEST),$(TEST:%=tests/%.bats),$(sort $(wildcard tests/*.bats)))

install: all
	$(INSTALL) -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib \
		$(DESTDIR)$(PREFIX)/include/tpa $(DESTDIR)$(PREFIX)/share/tpa
	$(INSTALL) -m 755 $(BINARIES) $(DESTDIR)$(PREFIX)/bin
	$(INSTALL) -m 644 $(BUILD)/libtpa.a $(DESTDIR)$(PREFIX)/lib
	$(INSTALL) -m 644 lib/*.h $(DESTDIR)$(PREFIX)/include/tpa
	$(INSTALL) -m 644 share/tpa/* $(DESTDIR)$(PREFIX)/share/tpa
	$(foreach page,$(MAN_PAGES),$(INSTALL) -D -m 644 $(page) \
		$(DESTDIR)$(PREFIX)/share/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page)) && ):

uninstall:
	rm -f $(TOOLS:%=$(DESTDIR)$(PREFIX)/bin/tpa-%) $(DESTDIR)$(PREFIX)/lib/libtpa.a
	rm -rf $(DESTDIR)$(PREFIX)/include/tpa $(DESTDIR)$(PREFIX)/share/tpa
	rm -f $(foreach page,$(MAN_PAGES),\
		$(DESTDIR)$(PREFIX)/share/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page)))

clean:
	rm -rf $(BUILD)

include tests/bench/bench.mk tests/cluster.mk tests/checks.mk tests/builds.mk tests/fuzz/fuzz.mk

help:
	@echo 'make                   build the tools into $(BUILD)/bin'
	@echo 'make demo              rank the kernels of a real trace; installs what is missing'
	@echo 'make check             run the tests; installs what is missing'
	@echo 'make check TEST=rank   run tests/rank.bats alone (or several: TEST="rank fmt")'
	@echo 'make check-cluster     run the tests of the cluster scripts; installs Slurm and parallel'
	@echo 'make check-asan        run the tests under the address and undefined sanitizers'
	@echo 'make check-tsan        run the tests of threads under the thread sanitizer'
	@echo 'make check-valgrind    run a choice of the tests under memcheck'
	@echo 'make coverage          which lines the tests reach, and which not'
	@echo 'make bench             time the pipeline and its stages against gzip -dc'
	@echo 'make bench-growth      how CPU time grows with events and with streams'
	@echo 'make bench-instructions  count the instructions for a byte of trace'
	@echo 'make fuzz              an hour of each fuzzer (FUZZ="trace gzip", FUZZ_SECONDS=60); clang'
	@echo 'make fuzz-short        a minute of all fuzzers together'
	@echo 'make fuzz-afl          an hour of each fuzzer, by AFL++'
	@echo 'make install           install under PREFIX ($(PREFIX)), below DESTDIR if set'
	@echo 'make uninstall         remove what install installed'
	@echo 'make dist              a tarball of what is committed, $(BUILD)/tpa-VERSION.tar.gz'
	@echo 'make deb               a Debian package of it, in $(BUILD)/deb'
	@echo 'make clean             remove $(BUILD)'
	@echo
	@echo 'BUILD=DIR  build there        CC=clang        another compiler'
	@echo 'V=1        show the commands  INFLATE=zlib    without ISA-L, even if it is there'
	@echo 'CFLAGS, CPPFLAGS, LDFLAGS     as usual        DEVELOPER=1  warnings are errors'

include contrib/packaging.mk

.PHONY: all requirements demo check install uninstall clean help FORCE
.SECONDARY:
.DELETE_ON_ERROR:

-include $(LIB_OBJECTS:.o=.d) $(TOOL_OBJECTS:.o=.d) $(wildcard $(BUILD)/tests/helper/*.d)
