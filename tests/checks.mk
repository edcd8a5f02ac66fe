# The tests under the checkers, and how much of the code they reach.
#
#   make check-asan                 all of them, unless TEST="..." says which
#   make check-tsan                 those in which tpa-extract has threads
#   make check-valgrind             those of input that is odd, and each tool's own
#   make coverage COVERAGE_MIN=90   fails if fewer per cent of the lines are reached
#
# A checker that finds something ends a tool with a status that no test expects.
# Tests look for TPA_CHECKER where they measure what a checker takes itself.

# What tests/failing.bats loads into the tools, built without sanitizers.
FAILING := $(BUILD)/tests/fail.so $(BUILD)/tests/nonblock
FAILING_CC = $(CC) -std=c11 -D_GNU_SOURCE -pthread $(WARNINGS) $(if $(DEVELOPER),-Werror) -O2 -g

check: $(FAILING)

$(BUILD)/tests/fail.so: tests/failing/fail.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LINK)$(FAILING_CC) -shared -fPIC -o $@ $< -ldl

$(BUILD)/tests/nonblock: tests/failing/nonblock.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LINK)$(FAILING_CC) -o $@ $<

# check_build NAME,CFLAGS[,TESTS]: the tests with a build of its own
check_build = TPA_CHECKER=$(1) $(MAKE) --no-print-directory check BUILD='$(BUILD)/$(1)' \
	CFLAGS='-O1 -g -fno-omit-frame-pointer $(2)' $(if $(TEST),,$(if $(3),TEST='$(3)' V=))

check-asan: requirements
	@ASAN_OPTIONS=exitcode=99 LSAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1 \
		$(call check_build,asan,-fsanitize=address$(comma)undefined -fno-sanitize-recover=all)

comma := ,

TSAN_TESTS := bench cases damage extract golden pipeline progress

check-tsan: requirements
	@TSAN_OPTIONS=exitcode=99:halt_on_error=1 $(call check_build,tsan,-fsanitize=thread,$(TSAN_TESTS))

# Each tool is a script that runs it under memcheck.  The whole suite would take hours:
# left out are the tests of what is built around the tools, and of large input.
VALGRIND_TESTS := lib cases damage io_errors fmt pictures pipeline ranks rules
MEMCHECK := valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
	--errors-for-leak-kinds=definite --suppressions=$(CURDIR)/tests/valgrind.supp

check-valgrind: requirements
	@command -v valgrind >/dev/null || { echo 'valgrind is not installed' >&2; exit 1; }
	@$(MAKE) --no-print-directory check-memcheck BUILD='$(BUILD)/valgrind'

CHECKED := $(patsubst $(BUILD)/%,$(BUILD)/memcheck/%,$(BINARIES) $(TEST_PROGRAMS))

$(CHECKED): $(BUILD)/memcheck/%: $(BUILD)/%
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec %s "%s" "$$@"\n' '$(MEMCHECK)' '$(abspath $<)' >$@
	@chmod +x $@

check-memcheck: all $(CHECKED)
	@TPA_CHECKER=valgrind TPA_BIN='$(abspath $(BUILD))/memcheck/bin' V='$(or $(V),$(TEST))' \
		bash tests/run $(patsubst %,tests/%.bats,$(or $(TEST),$(VALGRIND_TESTS)))

# The suite once more, with counters in the code; a test that fails is told of, and the
# lines that it reached count.
COVERAGE_MIN ?= 90
GCOV = $(if $(findstring clang,$(CC)),llvm-cov gcov,gcov)

coverage: requirements
	@rm -rf '$(BUILD)/coverage'/*/*.gcda
	-@$(MAKE) --no-print-directory check BUILD='$(BUILD)/coverage' \
		CFLAGS='-O0 -g --coverage -fprofile-update=atomic'
	@GCOV='$(GCOV)' sh tests/coverage '$(BUILD)/coverage' '$(COVERAGE_MIN)'

.PHONY: check-asan check-tsan check-valgrind check-memcheck coverage
