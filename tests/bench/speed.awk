# The table of make bench, from the records of the trace and what measure printed.

BEGIN { FS = "\t" }

FILENAME ~ /speed\.1$/ {
  if ($1 == "meta") meta[$3] = $4
  next
}
/^#/ { next }
{
  name[++rows] = $1
  scale = $1 ~ /scaled/ ? size / slice : 1
  wall[$1] = $2 * scale
  cpu[$1] = $3 * scale
  low[$1] = $4
  high[$1] = $5
  peak[$1] = $7 / 1024
}

# goal(ROW, FIGURE, LIMIT): what is to be reached, as a ratio to gzip -dc or in MiB
function goal(row, figure, limit) {
  if (row in wall) goals[row, figure] = limit
}

# "0.38 <= 0.40", and the goal missed with a mark
function against(row, figure, value, form,    text) {
  text = sprintf(form, value)
  if (!((row, figure) in goals)) return text
  text = text " <= " sprintf(form, goals[row, figure])
  if (value <= goals[row, figure]) return text
  missed++
  return text " !"
}

END {
  gzip = "gzip -dc"
  grep = "grep -c '\"ph\"' | cat, plain file"
  events = meta["events"]
  held = meta["kernels"] + meta["launches"]
  goal("trace to table, zlib", "wall", 0.40)
  goal("trace to table, zlib", "cpu", 0.75)
  goal("trace to table, isal", "wall", 0.30)
  goal("trace to table, isal", "cpu", 0.55)
  goal("tpa-extract, plain file", "cpu", 1.3 * cpu[grep] / cpu[gzip])
  for (i = 1; i <= rows; i++) {
    if (name[i] ~ /^trace to table/) goal(name[i], "peak", 64 + 60 * events / 1048576)
    if (name[i] ~ /^tpa-extract/) goal(name[i], "peak", 16 + 64 * held / 1048576)
  }
  printf "%d MB, %d events, %d kernels and launches; medians of %d runs\n", \
    size / 1e6, events, held, runs
  printf "%-33s %7s %7s %6s  %-14s %-14s %-14s\n", "", "wall s", "CPU s", "MB/s", \
    "peak MiB", "wall / gzip", "CPU / gzip"
  for (i = 1; i <= rows; i++) {
    row = name[i]
    line = sprintf("%-33s %7.3f %7.3f %6d  %-14s %-14s %s", row, wall[row], cpu[row], \
      size / 1e6 / wall[row], against(row, "peak", peak[row], "%.0f"), \
      against(row, "wall", wall[row] / wall[gzip], "%.2f"), \
      against(row, "cpu", cpu[row] / cpu[gzip], "%.2f"))
    sub(/ +$/, "", line)
    print line
  }
  print "After <=, the goal; with !, missed.  tpa-extract's for a plain file is 1.3 times grep's."
  printf "The CPU time of gzip -dc varied by %.0f %%, that of the pipeline by %.0f %%.\n", \
    spread(gzip), spread(name_of_pipeline())
  print missed ? missed " goals missed" : "all goals reached"
}

function spread(row) {
  return 100 * (high[row] / low[row] - 1)
}

function name_of_pipeline() {
  return "trace to table, isal" in wall ? "trace to table, isal" : "trace to table, zlib"
}
