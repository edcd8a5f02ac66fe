# Kernel records from a seed, the same with every awk.
#
#   awk -v seed=1 -v kernels=40 -v streams=3 -v names=4 -v span=50 -v longest=20 -f generate.awk
#
# Times are few, so that many fall together; idx says nothing about time.
function random(below) {
  state = (state * 16807) % 2147483647
  return int(state / 7) % below
}
function us(ns) {
  return sprintf("%d.%03d", int(ns / 1000), ns % 1000)
}
BEGIN {
  OFS = "\t"
  state = seed + 1000
  count = split("compute communication memory elementwise other - strange", category, " ")
  for (i = 0; i < 10; i++)
    random(2)
  for (i = 0; i < kernels; i++) {
    dur = 1 + random(longest)
    if (random(30) == 0)
      dur = 1 + random(2 * span)
    print "kernel", 0, 1, random(4) ? "all" : "decode", (i * 7 + 3) % kernels, 1, random(streams),
      us(1000 + random(span)), us(dur), "-", "-", "kernel", category[1 + random(count)],
      "-", "-", "-", "n" random(names), "-"
  }
}
