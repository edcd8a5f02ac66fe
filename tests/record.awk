# Records from TYPE COLUMN=VALUE...; helper.bash says how it is called.
BEGIN {
  FS = "\t"
  if (!STDIN) {
    ARGC_ALL = ARGC
    ARGC = 2
  }
}
FNR == NR {
  if (!/^#/) {
    end[$1] = NF
    for (i = 2; i <= NF; i++) {
      place[$1, $i] = i
      name[$1, i] = $i
    }
  }
  next
}
{
  count = split($0, word, " ")
  if (count)
    print_record(word, count)
}
END {
  if (STDIN)
    exit failed
  word[1] = TYPE
  for (i = 2; i < ARGC_ALL; i++)
    word[i] = ARGV[i]
  print_record(word, ARGC_ALL - 1)
  exit failed
}
function usual(column) {
  if (column == "rank") return "0"
  if (column == "pid" || column == "tid") return "1"
  if (column == "stage") return "all"
  if (column == "stream") return "7"
  if (column == "kind") return "kernel"
  if (column == "side") return "cpu"
  return "-"
}
function print_record(word, count,   type, i, at, column, value, line) {
  type = word[1]
  if (!(type in end)) {
    print "record: no type " type >"/dev/stderr"
    failed = 1
    return
  }
  for (i = 2; i <= end[type]; i++)
    value[i] = (type == "site" && name[type, i] == "kind") ? "-" : usual(name[type, i])
  for (i = 2; i <= count; i++) {
    at = index(word[i], "=")
    column = substr(word[i], 1, at - 1)
    if (!((type, column) in place)) {
      print "record: " type " has no column " column >"/dev/stderr"
      failed = 1
      return
    }
    value[place[type, column]] = substr(word[i], at + 1)
  }
  line = type
  for (i = 2; i <= end[type]; i++)
    line = line "\t" value[i]
  print line
}
