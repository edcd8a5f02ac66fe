# What tpa-extract says to a person who waits.

load helper

# A trace in two parts, the second only after a while; for a pipe.
slow_trace() {
  gzip -dc "$TRACES/alexnet.json.gz" | { head -c 100000; sleep 1.3; cat; }
}

# on_terminal COMMAND: its output with a terminal for standard error.
on_terminal() {
  script -qec "$1" /dev/null </dev/null
}

@test "progress shows after a second at a terminal, and is gone at the end" {
  needs_terminal
  rm -f part.fifo
  mkfifo part.fifo
  slow_trace >part.fifo &
  on_terminal "tpa-extract part.fifo >records" >terminal
  wait
  grep -q 'tpa-extract: part.fifo: [0-9]* MB, [0-9]* MB/s' terminal
  # the line is taken away before anything else is said
  [[ $(tr '\r' '\n' <terminal | grep -c $'\e\[K') -ge 2 ]]
  tpa-extract -q "$TRACES/alexnet.json.gz" | grep '^kernel' >want
  grep '^kernel' records >got
  same want got
}

@test "no progress with -q, and none where standard error is no terminal" {
  needs_terminal
  mkfifo part.fifo
  slow_trace >part.fifo &
  on_terminal "tpa-extract -q part.fifo >records" >terminal
  wait
  [ ! -s terminal ]
  slow_trace | tpa-extract 2>err >records
  run ! grep -q 'MB/s' err
}

@test "without operands at a terminal it says what it waits for" {
  needs_terminal
  printf '\004' | timeout 20 script -qec "tpa-extract >records" /dev/null >terminal || true
  grep -q "waiting for a trace on standard input, which is the terminal" terminal
}
