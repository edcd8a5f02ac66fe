# Fuzzers, by clang's libFuzzer:
#
#   make fuzz FUZZ_SECONDS=3600    each that long, one after the other
#   make fuzz FUZZ="scan gzip"     these alone
#   make fuzz-short                a minute in all
#   make fuzz-afl                  as fuzz, by AFL++, below $(BUILD)/afl
#
# They build and keep what they need below $(BUILD)/fuzz: what they have learnt in
# corpus, and an input that breaks something in findings.

FUZZERS := scan trace gzip records rules kernel_map pipeline
FUZZ ?= $(FUZZERS)
FUZZ_SECONDS ?= 3600
FUZZ_CC ?= clang
FUZZ_DIR := $(BUILD)/fuzz
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_CFLAGS = $(TPA_CFLAGS) -Itools -Itests/fuzz -O1 -g -fno-omit-frame-pointer $(FUZZ_SANITIZE) -fsanitize=fuzzer-no-link $(CPPFLAGS)
FUZZ_SUPPORT := $(patsubst lib/%.c,$(FUZZ_DIR)/lib/%.o,$(wildcard lib/*.c)) \
	$(FUZZ_DIR)/tests/fuzz/harness.o $(FUZZ_DIR)/tests/fuzz/allocations.o
FUZZ_PROGRAMS := $(FUZZERS:%=$(FUZZ_DIR)/%)

# How a tool is led to act on memory, and to come back: harness.h.
$(FUZZ_DIR)/lib/%.o $(FUZZ_DIR)/tools/%.o: private DEFINES += -Dexit=fuzz_exit
$(FUZZ_DIR)/lib/diag.o: private DEFINES += -Dexit=fuzz_exit -Dwrite=fuzz_say
$(FUZZ_DIR)/lib/fd_io.o: private DEFINES += -Dread=fuzz_read -Dwrite=fuzz_write
$(FUZZ_DIR)/lib/share.o: private DEFINES += -DTPA_SHARE_DIR='"$(CURDIR)/share/tpa"'

$(FUZZ_DIR)/src/%.c: %.c tests/fuzz/sizes tests/fuzz/sizes.awk
	@mkdir -p $(@D)
	@awk -f tests/fuzz/sizes.awk tests/fuzz/sizes $< >$@

$(FUZZ_DIR)/%.o: $(FUZZ_DIR)/src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(FUZZ_CC) $(FUZZ_CFLAGS) $(DEFINES) -MMD -MP -c -o $@ $<

# The tools know nothing of one another: each is one object with but its main.
define FUZZ_TOOL
$(FUZZ_DIR)/tools/tpa-$(1).o: private DEFINES += -Dexit=fuzz_exit -Dmain=tpa_$(1)_main \
	-Wno-missing-prototypes
$(FUZZ_DIR)/tpa-$(1).o: $(FUZZ_DIR)/tools/tpa-$(1).o \
		$(patsubst %.c,$(FUZZ_DIR)/%.o,$(wildcard tools/$(1)_*.c))
	$$(call say,LINK)$(LD) -r -o $$@ $$^ && objcopy -G tpa_$(1)_main $$@
endef
$(foreach tool,$(TOOLS),$(eval $(call FUZZ_TOOL,$(tool))))

# This one looks inside.
$(FUZZ_DIR)/scan: $(patsubst tools/%.c,$(FUZZ_DIR)/tools/%.o,$(wildcard tools/extract_*.c))

$(FUZZ_PROGRAMS): $(FUZZ_DIR)/%: $(FUZZ_DIR)/tests/fuzz/%.o $(FUZZ_SUPPORT) \
		$(TOOLS:%=$(FUZZ_DIR)/tpa-%.o)
	$(call say,LINK)$(FUZZ_CC) -g -pthread $(FUZZ_SANITIZE) -fsanitize=fuzzer -o $@ $^ $(TPA_LIBS)

# AFL++ takes long over each program: those alone that are wanted.
fuzzers: all $(FUZZ:%=$(FUZZ_DIR)/%)

RUN_FUZZ = @FUZZ_DIR='$(abspath $(FUZZ_DIR))' TPA_BIN='$(abspath $(BUILD))/bin' \
	TPA_SHARE='$(CURDIR)/share/tpa' sh tests/fuzz/run

fuzz: fuzzers
	$(RUN_FUZZ) $(FUZZ_SECONDS) $(FUZZ)

fuzz-afl:
	@command -v afl-fuzz >/dev/null || { echo 'AFL++ is not installed' >&2; exit 1; }
	@AFL_QUIET=1 FUZZ_ENGINE=afl $(MAKE) --no-print-directory fuzz FUZZ_CC=afl-clang-fast \
		BUILD='$(BUILD)/afl'

fuzz-short: fuzzers
	$(RUN_FUZZ) 8 $(FUZZ)

# The tests run them where they can be built; under another checker they need not.
FUZZ_BUILDS = $(shell echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' | \
	$(FUZZ_CC) -fsanitize=fuzzer,address -o /dev/null -x c - 2>/dev/null && echo yes)
FUZZ_WANTED = $(and $(filter check,$(MAKECMDGOALS)),$(if $(TEST),$(filter fuzz,$(TEST)),yes))
ifeq ($(TPA_CHECKER),)
check: $(if $(FUZZ_WANTED),$(if $(FUZZ_BUILDS),$(FUZZ_PROGRAMS)))
endif

.PHONY: fuzz fuzz-afl fuzz-short fuzzers

-include $(FUZZ_SUPPORT:.o=.d) $(wildcard $(FUZZ_DIR)/tools/*.d $(FUZZ_DIR)/tests/fuzz/*.d)
