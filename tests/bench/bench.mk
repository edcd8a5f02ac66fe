# The benchmarks, in tests/bench.  They build and keep what they need below $(BUILD)/bench.
#
#   make bench BENCH_MB=500 BENCH_RUNS=7
#   make bench BENCH_ONLY='^(gzip|trace)'    rows by an extended regular expression
#   make bench-growth BENCH_RUNS=5
#   make bench-instructions
#   make bench-ranks BENCH_RANKS=64

BENCH_MB ?= 500
BENCH_RUNS ?= 7
BENCH_ONLY ?= .

BENCH_PROGRAMS := $(BUILD)/tests/bench/generate $(BUILD)/tests/bench/measure

$(BUILD)/tests/bench/generate: $(BUILD)/tests/bench/source.o
$(BENCH_PROGRAMS): $(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(BUILD)/libtpa.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/libtpa.a $(TPA_LIBS)

# The tests run the generator, and the count of instructions.
check: $(BENCH_PROGRAMS)

RUN_BENCH = @BENCH='$(abspath $(BUILD))/bench' PROGRAMS='$(abspath $(BUILD))/tests/bench' \
	BENCH_MB='$(BENCH_MB)' BENCH_RUNS='$(BENCH_RUNS)' BENCH_ONLY='$(BENCH_ONLY)' sh tests/bench

bench: bench-zlib $(if $(ISAL),bench-isal) $(BENCH_PROGRAMS)
	$(RUN_BENCH)/speed

bench-growth: bench-zlib $(if $(ISAL),bench-isal) $(BENCH_PROGRAMS)
	$(RUN_BENCH)/growth

# A build with each way to inflate.
bench-zlib: requirements
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/bench/zlib INFLATE=zlib all

bench-isal: requirements
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/bench/isal INFLATE= all

bench-ranks: bench-zlib $(if $(ISAL),bench-isal) $(BENCH_PROGRAMS)
	@BENCH_RANKS='$(or $(BENCH_RANKS),256)'; export BENCH_RANKS; \
		$(patsubst @%,%,$(RUN_BENCH))/ranks

bench-instructions: all $(BENCH_PROGRAMS)
	$(RUN_BENCH)/instructions '$(abspath $(BUILD))/bin'

.PHONY: bench bench-growth bench-instructions bench-ranks bench-zlib bench-isal

-include $(wildcard $(BUILD)/tests/bench/*.d)
