#!/usr/bin/env bats
# What `make demo` and `make check` do on a machine where things are missing:
# contrib/requirements, in a PATH where nothing is but what a test puts there.

load helper

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  mkdir bin
  for command in sh env mkdir; do
    ln -s "$(command -v "$command")" bin/
  done
  requirements=$TESTS/../contrib/requirements
  unset BUILD
}

# program NAME: a command there, whose body is on standard input
program() {
  { echo '#!/bin/sh'; cat; } >"bin/$1"
  chmod +x "bin/$1"
}

user() {
  program id <<<"echo $1"
}

# An apt-get that writes down what it is asked, and puts the programs there.
apt_get() {
  program apt-get <<END
echo "apt-get \$*" >>"$PWD/asked"
case "\$*" in *install*) $1 ;; esac
END
}

there() {
  for command; do
    echo 'exit 0' | program "$command"
  done
}

everything() {
  there cc pkg-config bats mandoc jq sqlite3 zsh fish xmllint python3
}

requirements() {
  PATH=$PWD/bin /bin/sh "$requirements" "$@" </dev/null
}

packages='gcc libc6-dev pkg-config libjson-c-dev zlib1g-dev'
optional='mandoc jq sqlite3 zsh fish libxml2-utils python3'
line='  apt-get update && apt-get install -y --no-install-recommends'

@test "nothing is missing: nothing is said or asked" {
  everything
  user 0
  apt_get ''
  requirements --install build check >out 2>&1
  same /dev/null out
  [ ! -e asked ]
}

@test "without --install it says what is missing and how to install it" {
  user 0
  apt_get ''
  run -1 requirements build
  [ "${lines[0]}" = "tpa: missing: $packages" ]
  [ "${lines[2]}" = "$line $packages" ]
  [ ! -e asked ]
  run -1 requirements build check
  [ "${lines[2]}" = "$line $packages bats" ]
}

@test "only what is missing is named" {
  everything
  program pkg-config <<<'[ "$2" != zlib ]'
  run -1 requirements build check
  [ "${lines[2]}" = "$line zlib1g-dev" ]
  rm bin/bats
  run -1 requirements build check
  [ "${lines[2]}" = "$line zlib1g-dev bats" ]
  run -1 env CC=clang PATH="$PWD/bin" /bin/sh "$requirements" build
  [ "${lines[2]}" = "$line clang libc6-dev zlib1g-dev" ]
}

@test "as root it installs, saying so in a line" {
  user 0
  apt_get "PATH=$PATH; mv '$PWD'/later/* '$PWD/bin/'"
  mkdir later
  for command in cc pkg-config; do
    printf '#!/bin/sh\nexit 0\n' >"later/$command"
    chmod +x "later/$command"
  done
  requirements --install build >out 2>&1
  [ "$(<out)" = "tpa: installing with apt-get: $packages" ]
  [ "$(head -n 1 asked)" = 'apt-get -qq update' ]
  [[ $(tail -n 1 asked) = 'apt-get -qq install -y --no-install-recommends '*" $packages" ]]
}

@test "by sudo where that asks nothing" {
  user 1000
  program sudo <<<'[ "$1" = -n ] && shift; echo "sudo $1" >>sudone; exec "$@"'
  ln -s "$(type -P true)" bin/true
  apt_get ''
  run -1 requirements --install build
  [ "${lines[0]}" = "tpa: installing with apt-get: $packages" ]
  [ "${lines[1]}" = "tpa: still missing after apt-get: $packages" ]
  grep -q '^sudo apt-get' sudone
  [ "$(head -n 1 asked)" = 'apt-get -qq update' ]
}

@test "where it may not install, it prints the line and stops" {
  apt_get ''
  user 1000
  run -1 requirements --install build
  [ "${lines[0]}" = "tpa: missing, and cannot be installed from here: $packages" ]
  [ "${lines[2]}" = "$line $packages" ]
  program sudo <<<'exit 1'
  run -1 requirements --install build
  [ "${lines[2]}" = "$line $packages" ]
  user 0
  rm bin/apt-get
  run -1 requirements --install build
  [ "${lines[2]}" = "$line $packages" ]
  [ ! -e asked ]
}

@test "an apt-get that fails is said" {
  user 0
  apt_get 'exit 100'
  run -1 requirements --install build
  [ "${lines[1]}" = "tpa: apt-get failed to install: $packages" ]
  [ "${lines[3]}" = "$line $packages" ]
}

@test "for the tests it also installs what some are skipped without, after the rest" {
  everything
  rm bin/bats bin/jq bin/xmllint
  user 0
  apt_get "PATH=$PATH; for package; do case \$package in
    bats | jq) printf '#!/bin/sh\n' >bin/\$package ;;
    libxml2-utils) printf '#!/bin/sh\n' >bin/xmllint ;; esac; done; chmod +x bin/*"
  requirements --install build check >out 2>&1
  cat >want <<'END'
tpa: installing with apt-get: bats
tpa: installing with apt-get, for some of the tests: jq libxml2-utils
END
  same want out
  [ "$(grep -c update asked)" = 1 ]
  [[ $(tail -n 1 asked) = *' jq libxml2-utils' ]]
  requirements --install build check >out 2>&1
  same /dev/null out
}

@test "to build, or without --install, nothing is asked for that is only for some tests" {
  there cc pkg-config bats
  user 0
  apt_get ''
  requirements --install build >out 2>&1
  requirements build check >>out 2>&1
  same /dev/null out
  [ ! -e asked ]
}

@test "the tests go on without them where one fails to install, and it is tried once" {
  there cc pkg-config bats
  user 0
  # fish cannot be had, and so not all at once
  apt_get "PATH=$PATH; case \"\$*\" in *fish*) exit 100 ;; esac
    for package; do case \$package in
    mandoc | jq | zsh) printf '#!/bin/sh\n' >bin/\$package ;; esac; done; chmod +x bin/*"
  requirements --install build check >out 2>&1
  cat >want <<END
tpa: installing with apt-get, for some of the tests: $optional
tpa: without these, some tests are skipped: sqlite3 fish libxml2-utils python3
END
  same want out
  rm asked
  requirements --install build check >out 2>&1
  same /dev/null out
  [ ! -e asked ]
  [ -e build/not-installed ]
  # another folder, or another list, is another try
  BUILD=other requirements --install build check >out 2>&1
  [ -e asked ] && [ -e other/not-installed ]
  rm asked bin/jq
  requirements --install build check >out 2>&1
  [ -e asked ]
}

@test "no password is asked for them, and where none may be installed they are named once" {
  there cc pkg-config bats mandoc
  apt_get ''
  user 1000
  program sudo <<<'exit 1'
  needs_terminal
  script -qec "PATH='$PWD/bin' /bin/sh '$requirements' --install build check" log >/dev/null
  grep -q "^tpa: without these, some tests are skipped: ${optional#mandoc }" log
  run ! grep installing log
  [ ! -e asked ]
  requirements --install build check >out 2>&1
  same /dev/null out
}

@test "without /proc, where bats cannot run, that is said before anything is installed" {
  unshare -m umount -l /proc 2>/dev/null || skip "/proc cannot be taken away here"
  user 0
  apt_get ''
  run -1 unshare -m /bin/sh -c \
    "umount -l /proc && PATH='$PWD/bin' && exec /bin/sh '$requirements' --install build check"
  [ "$output" = "tpa: the tests need /dev/fd, which is in /proc: mount -t proc proc /proc" ]
  [ ! -e asked ]
}
