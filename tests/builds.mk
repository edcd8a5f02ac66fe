# A second build, in which all is done the other way: without SSE2, and inflated by
# zlib where the first has ISA-L.  tests/builds.bats compares the two.

OTHER := $(BUILD)/tests/other

check: other-build

other-build: requirements
	@$(MAKE) --no-print-directory BUILD=$(OTHER) INFLATE=zlib CPPFLAGS='$(CPPFLAGS) -DTPA_PORTABLE' all

.PHONY: other-build
