# What tpa-overlap has to make of kernel records, by looking at every kernel in
# every stretch of time between two starts or ends: slow, and plain to see.
#
#   kernel STAGE IDX HIDDEN EXCLUSIVE HIDDEN_COMPUTE     by idx
#   cover STAGE IDX NS NAME                              as they have to come
#   window STAGE START END BUSY OVERLAP STREAMS KERNELS
#
# Times in ns.  kernels % 7 must not be 0 in generate.awk, lest an idx came twice.
function ns(us) {
  split(us, part, ".")
  return part[1] * 1000 + part[2]
}
function dominates(a, b) {
  if (rank[a] != rank[b]) return rank[a] > rank[b]
  if (dur[a] != dur[b]) return dur[a] > dur[b]
  if (start[a] != start[b]) return start[a] < start[b]
  return a < b
}
BEGIN {
  FS = OFS = "\t"
  priority["compute"] = 4
  priority["communication"] = 3
  priority["memory"] = 2
  priority["elementwise"] = 1
}
{
  k = $5
  there[k] = 1
  if (k > last) last = k
  stage[k] = $4
  stream[k] = $7
  start[k] = ns($8)
  dur[k] = ns($9)
  end[k] = start[k] + dur[k]
  category[k] = $13
  rank[k] = $13 in priority ? priority[$13] : 0
  name[k] = $17
}
END {
  group("decode")
  group("all")
}
function group(which,   k, o, i, j, t, n, best, computes, seen, busy, overlap, most, streams, kernels, from, to, names, at, least) {
  n = kernels = 0
  for (k = 0; k <= last; k++)
    if (there[k] && stage[k] == which) {
      if (!kernels++ || start[k] < from) from = start[k]
      if (kernels == 1 || end[k] > to) to = end[k]
    }
  if (!kernels)
    return
  split("", seen)
  for (t = from; t < to; t++) {
    split("", seen)
    streams = 0
    for (k = 0; k <= last; k++)
      if (runs(k, which, t) && !(stream[k] in seen)) {
        seen[stream[k]] = 1
        streams++
      }
    busy += streams > 0
    overlap += streams > 1
    if (streams > most) most = streams
    for (k = 0; k <= last; k++) {
      if (!runs(k, which, t)) continue
      best = -1
      computes = 0
      for (o = 0; o <= last; o++)
        if (runs(o, which, t) && stream[o] != stream[k]) {
          if (category[o] == "compute") computes = 1
          if (best < 0 || dominates(o, best)) best = o
        }
      if (best < 0) continue
      hidden[k]++
      under[k] += computes
      if (!((k, name[best]) in covered)) order[k, ++names[k]] = name[best]
      covered[k, name[best]]++
    }
  }
  for (k = 0; k <= last; k++)
    if (there[k] && stage[k] == which)
      print "kernel", which, k, hidden[k] + 0, dur[k] - hidden[k], under[k] + 0
  for (k = 0; k <= last; k++)
    if (there[k] && stage[k] == which)
      for (i = 1; i <= names[k]; i++) {
        at = 0
        for (j = 1; j <= names[k]; j++)
          if (!((k, j) in done) && (!at || covered[k, order[k, j]] > covered[k, order[k, at]])) at = j
        done[k, at] = 1
        print "cover", which, k, covered[k, order[k, at]], order[k, at]
      }
  print "window", which, from, to, busy, overlap, most, kernels
}
function runs(k, which, t) {
  return there[k] && stage[k] == which && start[k] <= t && t < end[k]
}
