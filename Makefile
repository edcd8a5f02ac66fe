# tpa: where the GPU time goes.  `make help` lists what there is to make.

PREFIX ?= /usr/local
DESTDIR ?=
CC ?= cc
CFLAGS ?= -O2 -g
BUILD ?= build

TOOLS := extract classify overlap srcmap rank fmt

PKG_CONFIG ?= pkg-config
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes
TPA_CFLAGS := -std=c11 -D_GNU_SOURCE -ffp-contract=off $(WARNINGS) $(if $(DEVELOPER),-Werror) -Ilib \
	-DTPA_SHARE_DIR='"$(PREFIX)/share/tpa"' $(shell $(PKG_CONFIG) --cflags json-c zlib 2>/dev/null)
LIBS = $(shell $(PKG_CONFIG) --libs json-c zlib) -lpthread

LIB_OBJECTS := $(patsubst lib/%.c,$(BUILD)/lib/%.o,$(wildcard lib/*.c))
BINARIES := $(TOOLS:%=$(BUILD)/bin/tpa-%)

all: $(BINARIES)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(TPA_CFLAGS) $(CFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/libtpa.a: $(LIB_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

# tpa-X is tools/tpa-X.c and every tools/X_*.c over the library.
define TOOL_RULE
$(BUILD)/bin/tpa-$(1): $(BUILD)/tools/tpa-$(1).o \
		$(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/$(1)_*.c)) $(BUILD)/libtpa.a
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(LIBS)
endef
$(foreach tool,$(TOOLS),$(eval $(call TOOL_RULE,$(tool))))

clean:
	rm -rf $(BUILD)

.PHONY: all clean
.SECONDARY:

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
