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
