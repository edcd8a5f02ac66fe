#!/usr/bin/env bats
# What `make demo` and `make check` do on a machine where things are missing:
# contrib/requirements, in a PATH where nothing is but what a test puts there.

load helper

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  mkdir bin
  for command in sh env; do
    ln -s "$(command -v "$command")" bin/
  done
  requirements=$TESTS/../contrib/requirements
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

everything() {
  for command in cc pkg-config bats; do
    echo 'exit 0' | program "$command"
  done
}

requirements() {
  PATH=$PWD/bin /bin/sh "$requirements" "$@" </dev/null
}

packages='gcc libc6-dev pkg-config libjson-c-dev zlib1g-dev'
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
