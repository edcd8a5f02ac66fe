# The tables of make bench-growth, from what measure printed for NAME/SIZE.

BEGIN { FS = "\t" }

/^#/ { next }
{
  split($1, part, "/")
  if (!(part[1] in seen)) {
    seen[part[1]] = 1
    name[++names] = part[1]
  }
  cpu[part[1], part[2]] = $3
}

# The slope of log CPU over log size.
function exponent(row, list,    size, count, i, x, y, sx, sy, sxx, sxy) {
  count = split(list, size, " ")
  for (i = 1; i <= count; i++) {
    x = log(size[i])
    y = log(cpu[row, size[i]])
    sx += x
    sy += y
    sxx += x * x
    sxy += x * y
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx)
}

function line(title, row, list,    size, count, i, text) {
  count = split(list, size, " ")
  text = sprintf("%-22s", title)
  for (i = 1; i <= count; i++)
    text = text sprintf(" %9s", row == "" ? size[i] : sprintf("%.3f", cpu[row, size[i]]))
  return text
}

function against(value, limit) {
  if (value > limit) missed++
  return sprintf("%.2f <= %.2f%s", value, limit, value > limit ? " !" : "")
}

END {
  print "CPU seconds, medians of " runs " runs"
  print line("MB of trace", "", sizes) "   exponent"
  for (i = 1; i <= names; i++)
    if (name[i] != "streams")
      print line(name[i], name[i], sizes) "   " against(exponent(name[i], sizes), 1.05)
  print ""
  print line("streams, " streams_mb " MB", "", streams) "   exponent   256 to 3"
  printf "%s   %-10.2f %s\n", line("tpa-overlap", "streams", streams), \
    exponent("streams", streams), \
    ("streams", 256) in cpu ? against(cpu["streams", 256] / cpu["streams", 3], 1.2) : "-"
  print "After <=, the goal; with !, missed."
  print missed ? missed " goals missed" : "all goals reached"
}
