# awk -f tests/fuzz/sizes.awk tests/fuzz/sizes SOURCE: the source with those sizes.
FNR == NR {
  if ($1 == ARGV[2]) {
    macro = $2
    value[macro] = substr($0, length($1 " " $2 " ") + 1)
  }
  next
}
FNR == 1 { printf "#line 1 \"%s\"\n", FILENAME }
$1 == "#define" && $2 in value {
  print $1, $2, value[$2]
  delete value[$2]
  next
}
{ print }
END {
  for (macro in value)
    print ARGV[2] ": there is no " macro " to make small" >"/dev/stderr"
}
