#!/usr/bin/env bats
# The library's modules, and what of the tools can be tried alone, by the programs
# of tests/helper/*.c.

load helper

# unit PROGRAM TEST
unit() {
  "$TEST_PROGRAMS/$1" "$2"
}

@test "text: lower-casing and character classes are ASCII's" { unit text lower; }
@test "text: white space folds to one blank and is trimmed" { unit text fold; }
@test "text: what is not UTF-8 becomes U+FFFD" { unit text repair; }
@test "text: a field's escapes" { unit text escape; }
@test "text: escapes are taken back, malformed ones stand" { unit text unescape; }
@test "text: every byte survives escaping and unescaping" { unit text round_trip; }
@test "text: lengths count characters" { unit text characters; }
@test "text: shortening counts characters, three of them dots" { unit text shorten; }
@test "text: loose matching keeps letters and digits" { unit text compact; }
@test "text: containing, starting, ending" { unit text parts; }
@test "text: bytewise order" { unit text compare; }
@test "text: code points to UTF-8" { unit text code_points; }

@test "number: decimals to nanoseconds" { unit number times; }
@test "number: exponents" { unit number exponents; }
@test "number: rounding half to even on the exact value" { unit number half_even; }
@test "number: the limits of a time" { unit number limits; }
@test "number: sums that do not overflow" { unit number sums; }
@test "number: what is no time" { unit number no_times; }
@test "number: whole numbers" { unit number ints; }
@test "number: counts" { unit number counts; }
@test "number: whole numbers written as decimals" { unit number integrals; }
@test "number: whole numbers out" { unit number put_int; }
@test "number: times out" { unit number put_time; }

@test "names: kernels, addresses and parameter lists" { unit names kernel; }
@test "names: every marker of a code base cuts a path" { unit names python_markers; }
@test "names: which marker, and where" { unit names python_paths; }
@test "names: frames that are no PATH(LINE): FUNCTION" { unit names python_others; }
@test "names: frames worth passing on" { unit names worth; }
@test "names: plumbing is a fallback only" { unit names plumbing; }
@test "names: wrappers are of low signal" { unit names low_signal; }
@test "names: how good a frame is as a launch's place" { unit names score; }
@test "names: how a source weighs in the lookup by alias" { unit names priority; }
@test "names: path and function of a scope" { unit names signature; }
@test "names: scopes of one family" { unit names family; }
@test "names: launching APIs" { unit names launch; }

@test "intern: ids in order of first sight, texts never move" { unit tables interning; }
@test "intern: long texts between short ones" { unit tables interning_long; }
@test "hash: every byte and the length count" { unit tables hashes; }
@test "counter: of equals the first counted" { unit tables counting; }
@test "counter: many keys" { unit tables counting_many; }
@test "sort: stable, in any pattern" { unit tables sorting; }
@test "sort: sorted runs cost little" { unit tables sorting_runs; }
@test "buffer: grows, clears, releases" { unit tables growing; }
@test "stretched arrays: many at once, of any size of element" { unit tables stretching; }

@test "heap: the smallest key comes out first" { unit order heaping; }
@test "heap: pushing between" { unit order heaping_between; }
@test "bitset: the next lower number, over all levels" { unit order bits_below; }
@test "bitset: as a plain array would have it" { unit order bits_random; }

@test "columns: the table is the documented one" {
  unit record columns >got
  grep -v '^#' "$TESTS/data/columns.tsv" >want
  same want got
}
@test "columns: types and columns by name" { unit record named; }
@test "record: fields and extension fields" { unit record split; }
@test "record: what its getters find wrong" { unit record getters; }
@test "record_io: what is written" { unit record writing; }
@test "record_io: what is wanted is read, all else passes" { unit record reading; }
@test "record_io: what is only read passes, unless it is dropped" { unit record reading_only; }
@test "record_io: whatever is wanted is found among all else" { unit record reading_some; }
@test "record_io: a bad line does not end the reading" { unit record reading_bad; }
@test "record_io: the limit of a line" { unit record reading_long; }
@test "ranks: the end counts when all was seen" { unit record ending; }
@test "ranks: every type that is needed must be complete" { unit record ending_needs; }

@test "gzip: a check sum that is known" { unit checksum known; }
@test "gzip: check sums of every length are zlib's" { unit checksum lengths; }
@test "gzip: check sums of parts are those of the whole" { unit checksum parts; }

@test "no unit test is left out here" {
  for source in "$TESTS"/helper/*.c; do
    program=$(basename "$source" .c)
    "$TEST_PROGRAMS/$program" | sed "s/^/unit $program /"
  done | sort >want
  grep -oE "^.*unit [a-z]+ [a-z_]+( >got|; \})" "$BATS_TEST_FILENAME" |
    grep -oE 'unit [a-z]+ [a-z_]+' | sort >got
  same want got
}
