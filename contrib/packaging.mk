# What is for those who package tpa: completions, the pkg-config file, a tarball and
# a Debian package.  Included by the Makefile.

# The one place where the version stands.
VERSION := $(shell sed -n 's/^\#define TPA_VERSION "\(.*\)"/\1/p' lib/options.h)

BASH_COMPLETIONS ?= $(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS ?= $(PREFIX)/share/fish/vendor_completions.d

# bash and fish look for a file of the tool's name.
COMPLETED := $(TOOLS:%=tpa-%) tpa-triage
COMPLETIONS = $(COMPLETED:%=$(BASH_COMPLETIONS)/%) $(ZSH_COMPLETIONS)/_tpa \
	$(COMPLETED:%=$(FISH_COMPLETIONS)/%.fish)

install: install-contrib
install-contrib: all
	$(INSTALL) -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig \
		$(DESTDIR)$(BASH_COMPLETIONS) $(DESTDIR)$(ZSH_COMPLETIONS) $(DESTDIR)$(FISH_COMPLETIONS)
	$(INSTALL) -m 755 contrib/tpa-triage $(DESTDIR)$(PREFIX)/bin
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' contrib/tpa.pc.in \
		>$(DESTDIR)$(PREFIX)/lib/pkgconfig/tpa.pc
	$(INSTALL) -m 644 contrib/completion/tpa.bash $(DESTDIR)$(BASH_COMPLETIONS)/tpa-extract
	$(INSTALL) -m 644 contrib/completion/_tpa $(DESTDIR)$(ZSH_COMPLETIONS)
	$(INSTALL) -m 644 contrib/completion/tpa.fish $(DESTDIR)$(FISH_COMPLETIONS)/tpa-extract.fish
	for tool in $(filter-out tpa-extract,$(COMPLETED)); do \
		ln -sf tpa-extract $(DESTDIR)$(BASH_COMPLETIONS)/$$tool && \
		ln -sf tpa-extract.fish $(DESTDIR)$(FISH_COMPLETIONS)/$$tool.fish || exit; \
	done

uninstall: uninstall-contrib
uninstall-contrib:
	rm -f $(DESTDIR)$(PREFIX)/bin/tpa-triage $(DESTDIR)$(PREFIX)/lib/pkgconfig/tpa.pc \
		$(COMPLETIONS:%=$(DESTDIR)%)

# Of what is committed, so that a tarball can be made again.
DIST := tpa-$(VERSION)
dist:
	@git rev-parse --git-dir >/dev/null 2>&1 || \
		{ echo 'make dist: a tarball is made in a clone of the repository' >&2; exit 1; }
	@mkdir -p $(BUILD)
	git archive --prefix=$(DIST)/ -o $(BUILD)/$(DIST).tar.gz HEAD

# Debian packages of that tarball, in $(BUILD)/deb.  They are built with nothing of this
# run's own variables, BUILD above all.
deb: dist
	rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb
	cp $(BUILD)/$(DIST).tar.gz $(BUILD)/deb/tpa_$(VERSION).orig.tar.gz
	tar -C $(BUILD)/deb -xzf $(BUILD)/$(DIST).tar.gz
	cp -r $(BUILD)/deb/$(DIST)/contrib/debian $(BUILD)/deb/$(DIST)/debian
	cd $(BUILD)/deb/$(DIST) && env -i PATH="$$PATH" HOME="$$HOME" \
		DEB_BUILD_OPTIONS="$$DEB_BUILD_OPTIONS" dpkg-buildpackage -us -uc -b

.PHONY: install-contrib uninstall-contrib dist deb
