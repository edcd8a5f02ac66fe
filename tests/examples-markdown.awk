# The examples of a Markdown file; see tests/examples.

function show(file,    line) {
  while ((getline line <file) > 0) print line
  close(file)
}

# What follows a block of commands, blank lines left out, decides whether its output is shown.
function run() {
  if (mode != "commands") return
  printf "{\n%s} 2>'%s/%d.err'\n", command, work, number
  printf "status=$?; printf '\\001%d\\n'; (exit $status)\n", number
}

/^```sh$/ {
  block = "sh"
  number++
  command = ""
  if (mode == "text") print
  next
}

/^```text$/ && after { block = "text"; if (mode == "text") print; next }

/^```/ && block {
  if (block == "sh") run()
  else if (mode == "text") { show(work "/" number ".err"); show(work "/" number ".out") }
  after = block == "sh"
  block = ""
  if (mode == "text") print
  next
}

block == "sh" { command = command $0 "\n" }
block == "text" { next }
!block && NF { after = 0 }
mode == "text"
