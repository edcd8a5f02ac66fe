#!/usr/bin/env bats
# make dist, what is installed beside the tools, and the Debian package.

load helper

ROOT=$TESTS/..

# Without what make and bats hand on to what they start.
clean() {
  env -i "HOME=$BATS_FILE_TMPDIR" "PATH=${PATH//\/usr\/libexec\/bats-core:/}" "CC=${CC:-cc}" \
    LC_ALL=C "$@"
}

# The tarball, unpacked, built, installed below a prefix.
setup_file() {
  git -C "$ROOT" rev-parse --git-dir >/dev/null 2>&1 || return 0
  cd "$BATS_FILE_TMPDIR"
  clean make -s -C "$ROOT" dist "BUILD=$PWD" >log 2>&1
  mkdir tree
  tar -C tree --strip-components 1 -xzf tpa-*.tar.gz
  clean make -s -C tree all CFLAGS=-O0 "PREFIX=$PWD/to" >>log 2>&1
  clean make -s -C tree install CFLAGS=-O0 "PREFIX=$PWD/to" >>log 2>&1
}

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  TREE=$BATS_FILE_TMPDIR/tree
  TO=$BATS_FILE_TMPDIR/to
}

needs_tarball() {
  [ -d "$TREE" ] || skip "a tarball is made from the repository only"
}

version() {
  sed -n 's/^#define TPA_VERSION "\(.*\)"$/\1/p' "$ROOT/lib/options.h"
}

@test "the version is that of lib/options.h wherever it stands" {
  [[ $(version) =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]
  [ "$(tpa-extract --version)" = "tpa-extract $(version)" ]
  [[ $(head -n 1 "$ROOT/contrib/debian/changelog") = "tpa ($(version)-"*") "* ]]
  [[ $(head -n 1 "$ROOT/NEWS") = "$(version)"* ]]
}

@test "dist: a tarball of its own folder, with all that is committed" {
  needs_tarball
  [ -f "$BATS_FILE_TMPDIR/tpa-$(git -C "$ROOT" show HEAD:lib/options.h |
    sed -n 's/^#define TPA_VERSION "\(.*\)"$/\1/p').tar.gz" ]
  tar -tzf "$BATS_FILE_TMPDIR"/tpa-*.tar.gz | sed 's|^tpa-[0-9.]*/||' | grep -v '/$' |
    grep . | sort >got
  git -C "$ROOT" ls-tree -r --name-only HEAD | sort >want
  same want got
}

@test "dist: the tarball passes tests by itself" {
  needs_tarball
  clean make -s -C "$TREE" check CFLAGS=-O0 TEST="usage pipeline" "PREFIX=$TO" >out 2>&1 || cat out
  tail -n 1 out >last
  grep -qE '^[1-9][0-9]* passed, 0 failed' last
}

@test "dist: says that it needs the repository" {
  needs_tarball
  status=0
  clean "GIT_CEILING_DIRECTORIES=$(dirname "$TREE")" make -s -C "$TREE" dist >out 2>&1 || status=$?
  [ "$status" != 0 ]
  grep -q '^make dist: ' out
}

@test "install: what it puts there is taken away by uninstall" {
  needs_tarball
  clean make -s -C "$TREE" install CFLAGS=-O0 "DESTDIR=$PWD/stage" "PREFIX=$TO" >/dev/null
  for file in bin/tpa-triage lib/pkgconfig/tpa.pc share/man/man7/tpa.7 \
    share/bash-completion/completions/tpa-fmt share/zsh/site-functions/_tpa \
    share/fish/vendor_completions.d/tpa-fmt.fish; do
    [ -f "stage$TO/$file" ]
  done
  clean make -s -C "$TREE" uninstall "DESTDIR=$PWD/stage" "PREFIX=$TO"
  find stage -type f -o -type l >left
  same /dev/null left
}

@test "install: tpa-triage runs the installed tools" {
  needs_tarball
  PATH=$TO/bin:/usr/bin:/bin
  unset TPA_SHARE
  tpa-triage "$TRACES/h100-bert-small.json.gz" >out
  grep -q '^what to try first' out
}

@test "install: each tool has its completion where the shells look for it" {
  needs_tarball
  for tool in "$TO"/bin/*; do
    name=$(basename "$tool")
    (. "$TO/share/bash-completion/completions/$name" && complete -p "$name") >out
    grep -q " $name$" out
    [ -f "$TO/share/fish/vendor_completions.d/$name.fish" ]
    head -n 1 "$TO/share/zsh/site-functions/_tpa" | grep -qw "$name"
  done
}

@test "pkg-config: a stage of one's own builds with it, and works in a pipe" {
  needs_tarball
  cat >longer.c <<'END'
/* Passes on the kernels that took longer than 50 us. */
#include <tpa/options.h>
#include <tpa/stage.h>

static const struct option_row rows[] = {OPTION_ROWS_COMMON, {0}};
static const struct tool tool = {"longer", "pass on long kernels", "[FILE...]", rows};

static enum stage_taken take(void *state, struct record *kernel)
{
	int64_t ns;

	(void)state;
	if (!record_time(kernel, KERNEL_DUR, &ns))
		return STAGE_FAULT;
	return ns > 50000 ? STAGE_PASS : STAGE_KEPT;
}

int main(int argc, char **argv)
{
	struct options options = options_init(&tool, argc, argv);
	struct stage stage = {.wants = RECORD_BIT(RECORD_KERNEL), .take = take, .pass = true};

	while (options_next(&options))
		;
	stage_open(&stage);
	return (int)stage_close(&stage, stage_run(&stage, options.operand, options.operands));
}
END
  export PKG_CONFIG_PATH=$TO/lib/pkgconfig
  [ "$(pkg-config --modversion tpa)" = "$(sed -n 's/^Version: //p' "$TO/lib/pkgconfig/tpa.pc")" ]
  # shellcheck disable=SC2046 # flags are words
  "${CC:-cc}" -std=c11 -D_GNU_SOURCE $(pkg-config --cflags tpa) -o longer longer.c \
    $(pkg-config --libs tpa)
  tpa-extract -q "$TRACES/mi300-resnet-checkpoint.json.gz" >all
  ./longer all | tpa-classify | grep -c '^kernel' >got
  awk -F '\t' '$1 == "kernel" && $9 > 50' all | wc -l >want
  [ "$(<want)" -gt 10 ]
  same want got
  cut -f 1-3 all | grep -v '^kernel' >want
  ./longer <all | cut -f 1-3 | grep -v '^kernel' >got
  same want got
}

@test "deb: dpkg-buildpackage makes it, and lintian finds nothing" {
  needs_tarball
  for tool in dpkg-buildpackage dh lintian; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
  done
  dpkg-checkbuilddeps -B "$ROOT/contrib/debian/control" 2>/dev/null ||
    skip "not all that the package is built with is installed"
  clean DEB_BUILD_OPTIONS="nocheck noopt terse" make -s -C "$ROOT" deb "BUILD=$PWD" >log 2>&1 || {
    tail -n 20 log
    false
  }
  run -0 lintian --allow-root --fail-on error,warning deb/*.changes
  [ -z "$output" ]
  dpkg-deb -c deb/tpa_*.deb | grep -q ' ./usr/bin/tpa-extract$'
  dpkg-deb -c deb/tpa_*.deb | grep -q ' ./usr/share/man/man5/tpa-records.5.gz$'
  dpkg-deb -c deb/libtpa-dev_*.deb | grep -q '/pkgconfig/tpa.pc$'
}
