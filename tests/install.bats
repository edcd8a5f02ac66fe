#!/usr/bin/env bats
# make install, and where an installed tool finds its rules.

load helper

# A build of its own, quick and without the flags of the one under test.
setup_file() {
  export TREE=$BATS_FILE_TMPDIR/build
  make_it all
}

make_it() {
  env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u ASAN_OPTIONS -u TSAN_OPTIONS make -s -C "$TESTS/.." \
    "BUILD=$BATS_FILE_TMPDIR/build" CFLAGS=-O0 LDFLAGS= CPPFLAGS= "$@" >/dev/null
}

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  unset TPA_SHARE
  record kernel idx=0 ts=1.000 dur=1.000 name=Memset >kernel
}

# The folder whose rules a tool uses, as its message for a missing one says it.
share_of() {
  "$1" -r no-such-rules kernel 2>&1 | sed -n 's/^tpa-classify: \(.*\)\/no-such-rules\.rules: .*/\1/p'
}

@test "install puts everything below DESTDIR and PREFIX, uninstall takes it away" {
  make_it install "DESTDIR=$PWD/stage" PREFIX=/opt/tpa
  for tool in extract classify overlap srcmap rank fmt; do
    [ -x "stage/opt/tpa/bin/tpa-$tool" ]
  done
  [ -f stage/opt/tpa/lib/libtpa.a ]
  (cd "$TESTS/../lib" && ls -- *.h) >want
  (cd stage/opt/tpa/include/tpa && ls) >got
  same want got
  [ -f stage/opt/tpa/share/tpa/kernel.rules ]
  [ -f stage/opt/tpa/share/tpa/reference.rules ]
  [ -f stage/opt/tpa/share/man/man5/tpa-records.5 ]
  make_it uninstall "DESTDIR=$PWD/stage" PREFIX=/opt/tpa
  find stage -type f >left
  same /dev/null left
}

@test "an installed tool finds its rules beside itself, wherever it was moved" {
  make_it install "PREFIX=$PWD/first"
  "first/bin/tpa-classify" kernel | fields kernel category >got
  [ "$(<got)" = memory ]
  mv first second
  "second/bin/tpa-classify" kernel | fields kernel category >got
  [ "$(<got)" = memory ]
}

@test "a tool alone finds the rules of the prefix it was built for" {
  make_it install "PREFIX=$PWD/here"
  mkdir -p elsewhere/bin
  cp here/bin/tpa-classify elsewhere/bin/
  elsewhere/bin/tpa-classify kernel | fields kernel category >got
  [ "$(<got)" = memory ]
  [ "$(share_of elsewhere/bin/tpa-classify)" = "$PWD/here/share/tpa" ]
}

@test "a tool in the build tree finds the rules of the tree" {
  "$TREE/bin/tpa-classify" kernel | fields kernel category >got
  [ "$(<got)" = memory ]
}

@test "without /proc, as in a bare chroot, too" {
  unshare -m umount -l /proc 2>/dev/null || skip "/proc cannot be taken away here"
  make_it install "PREFIX=$PWD/to"
  mkdir here
  # by PATH, and by a path from here
  for tool in "PATH=$TREE/bin:$PATH tpa-classify" "cd here && ../to/bin/tpa-classify"; do
    unshare -m sh -c "umount -l /proc && $tool -r kernel '$PWD/kernel'" | fields kernel category >got
    [ "$(<got)" = memory ]
  done
  mv to moved
  [ "$(unshare -m sh -c "umount -l /proc && moved/bin/tpa-classify kernel" |
    fields kernel category)" = memory ]
}

@test "TPA_SHARE comes before all" {
  mkdir mine
  echo 'name substring memset compute' >mine/kernel.rules
  TPA_SHARE=$PWD/mine "$TREE/bin/tpa-classify" kernel | fields kernel category >got
  [ "$(<got)" = compute ]
}

@test "a program of one's own builds with what is installed" {
  make_it install "PREFIX=$PWD/to"
  cat >own.c <<'END'
#include <tpa/number.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	int64_t ns;

	return number_time("1.5", 3, &ns) == NUMBER_IS_TIME && ns == 1500 ? 0 : 1;
}
END
  "${CC:-cc}" -I to/include -o own own.c -L to/lib -ltpa
  ./own
}

@test "every header compiles alone" {
  for header in "$TESTS"/../lib/*.h; do
    echo "#include \"$header\"" >one.c
    "${CC:-cc}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I "$TESTS/../lib" -fsyntax-only one.c
  done
}
