# The benchmarks; tests/bench/*.

BENCH_PROGRAMS := $(BUILD)/tests/bench/generate $(BUILD)/tests/bench/measure

$(BUILD)/tests/bench/generate: $(BUILD)/tests/bench/source.o
$(BENCH_PROGRAMS): $(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(BUILD)/libtpa.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/libtpa.a $(TPA_LIBS)

-include $(wildcard $(BUILD)/tests/bench/*.d)
