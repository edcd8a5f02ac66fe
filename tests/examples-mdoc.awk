# The examples of a manual page; see tests/examples.

# The source of a line of a display -> the line.
function plain(line) {
  sub(/^\\&/, "", line)
  gsub(/\\\(ha/, "^", line)
  gsub(/\\\(ti/, "~", line)
  gsub(/\\\(ga/, "`", line)
  gsub(/\\e/, "\\", line)
  return line
}

# And back.
function source(line) {
  gsub(/\\/, "\\e", line)
  gsub(/\^/, "\\(ha", line)
  gsub(/~/, "\\(ti", line)
  gsub(/`/, "\\(ga", line)
  if (line ~ /^[.']/) line = "\\&" line
  return line
}

function show(file,    line) {
  while ((getline line <file) > 0) print source(line)
  close(file)
}

# The command that was read is over: in the script it is run, in the text its output follows.
function finish() {
  if (!open) return
  open = 0
  if (mode == "commands") {
    printf "{\n%s\n} 2>'%s/%d.err'\n", command, work, number
    printf "status=$?; printf '\\001%d\\n'; (exit $status)\n", number
    return
  }
  show(work "/" number ".err")
  show(work "/" number ".out")
}

/^\.Bd -literal/ { display = 1; after = 0 }
/^\.Ed/ { finish(); display = 0; after = 0 }

display && /^\$ / {
  finish()
  open = after = 1
  number++
  command = plain(substr($0, 3))
  if (mode == "text") print
  next
}

open && /^> / {
  command = command "\n" plain(substr($0, 3))
  if (mode == "text") print
  next
}

display && after { next }

mode == "text"
