#!/usr/bin/env python3
"""Compares the tools with a program that works the records out some other way.

    compare.py [-n COUNT] [-s SEED] [-k DIR] BIN REFERENCE.py

BIN holds the tools.  REFERENCE.py is imported: its Run(path, stage, pid, map) is a
trace, and kernel_records(run), cover_records(run), ... are the lines that must come
out.  Random traces (generate.py) go through the tools many at a time, each as a
rank of its own; a few are also mapped by another one's source map.  What differs is
shown and kept in DIR; ends with `N compared, N differ`.
"""

import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import traceback
from collections import defaultdict
from pathlib import Path

import generate

BATCH = 100
PAIRS = 5  # of a batch
CPU_SIDE = {"cpu_op", "python", "launch", "span"}
COMPARED = CPU_SIDE | {"kernel", "cover", "window", "source", "site", "total", "action"}


def load_reference(path):
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location("reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stage_column(kind):
    return {"kernel": 3, "cover": 3, "window": 3, "source": 2, "site": 2, "total": 3, "action": 3}.get(kind)


def by_kind(lines):
    """Lists of lines by type and stage: within each the order matters."""
    lists = defaultdict(list)
    for line in lines:
        fields = line.split("\t")
        column = stage_column(fields[0])
        # kernels of all stages stand together, in trace order
        stage = "" if column is None or fields[0] == "kernel" else fields[column]
        lists[fields[0], stage].append(line)
    return lists


def shell(command, paths, environment):
    return subprocess.run(["bash", "-o", "pipefail", "-c", command, "bash", *paths], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Options:
    """How the tools are called for a batch of traces."""

    def __init__(self, rng, folder):
        self.stage = rng.choice([None] * 8 + ["decode", "prefill", "mine"])
        self.pid = rng.choice([None] * 6 + ["0", "TP", "nobody"])
        self.limit = rng.choice([0, 0, 0, 1, 3])
        self.map = generate.make_kernel_map(rng) if rng.random() < 0.2 else {}
        self.map_path = folder / "map.json"
        self.map_path.write_text(json.dumps(self.map))
        self.order = rng.choice(["cso", "csr", "sco", "ocs", "sorted"])

    def command(self, labels):
        extract = ["tpa-extract", "-q"] + [f"-l {label}" for label in labels]
        if self.stage:
            extract.append(f"-s {self.stage}")
        if self.pid:
            extract.append(f"-p {self.pid}")
        classify = "tpa-classify -r reference"
        source = "tpa-srcmap" + (f" -m {self.map_path}" if self.map else "")
        rank = "tpa-rank -a -t" + (f" -n {self.limit}" if self.limit else "")
        stages = {
            "cso": [classify, source, "tpa-overlap"],
            "csr": [classify, "tpa-overlap", source],
            "sco": [source, classify, "tpa-overlap"],
            "ocs": [classify, "tpa-overlap", source],
            # where CPU ops or frames tie the order of the trace decides: they stay
            "sorted": ["(tee cpu | grep -v -e '^cpu_op' -e '^python' -e '^launch' | sort -r; "
                       "grep -e '^cpu_op' -e '^python' -e '^launch' cpu)",
                       classify, "tpa-overlap", source],
        }[self.order]
        return " | ".join([" ".join(extract) + ' "$@"', *stages, rank])


def differences(want, got, shuffled):
    want, got = by_kind(want), by_kind(got)
    for kind in [("kernel", ""), ("span", "")] if shuffled else []:
        want[kind].sort()
        got[kind].sort()
    for key in sorted(set(want) | set(got)):
        if want[key] != got[key]:
            pairs = zip(want[key] + [None] * len(got[key]), got[key] + [None] * len(want[key]))
            first = next(((a, b) for a, b in pairs if a != b), None)
            yield f"{key}: {len(want[key])} and {len(got[key])} lines, the first that differs:\n" \
                  f"  want {first[0]}\n  got  {first[1]}"


def expected(reference, path, label, options):
    run = reference.Run(path, options.stage, options.pid, options.map)
    run.rank = label
    lines = list(reference.stream_records(run))
    for make in (reference.kernel_records, reference.cover_records, reference.window_records,
                 reference.source_records):
        lines += make(run)
    lines += reference.total_records(run, [run])
    lines += reference.action_records(run, [run], options.limit)
    return lines


PAIR = ("tpa-extract -q -l r $1 | tpa-classify -r reference | tpa-srcmap -s >map && "
        "tpa-extract -q -l r $2 | tpa-classify -r reference | tpa-overlap | tpa-rank -a -t -m map")


def pair_agrees(reference, mapping, formal, environment, keep):
    """The source map of one trace for the kernels of another."""
    done = shell(PAIR, [str(mapping), str(formal)], environment)
    map_run, run = (reference.Run(str(path), None, None, {}) for path in (mapping, formal))
    map_run.rank = run.rank = "r"
    want = [*reference.kernel_records(run), *reference.cover_records(run), *reference.window_records(run),
            *reference.total_records(run, [map_run]), *reference.action_records(run, [map_run], 0)]
    got = [line for line in done.stdout.decode("utf-8").split("\n")
           if line.split("\t", 1)[0] in COMPARED - CPU_SIDE]
    found = list(differences(want, got, False))
    if found or done.returncode:
        print(f"{mapping.name} for {formal.name}: exit {done.returncode}", *found[:3], sep="\n")
        for path in (mapping, formal) if keep else ():
            (keep / path.name).write_bytes(path.read_bytes())
    return not found and not done.returncode


def run_batch(reference, seeds, folder, environment, keep):
    rng = random.Random(seeds[0])
    options = Options(rng, folder)
    paths = []
    for seed in seeds:
        trace_rng = random.Random(seed)
        name = f"t{seed}" + trace_rng.choice([".json"] * 9 + ["-decode.json", "_extend.json"])
        path = folder / name
        path.write_text(generate.to_json(generate.make_trace(trace_rng)), "utf-8", "surrogatepass")
        paths.append(path)
    labels = [f"r{seed}" for seed in seeds]
    done = shell(options.command(labels), [str(p) for p in paths], {**environment, "PWD": str(folder)})
    got = defaultdict(list)
    if done.returncode:
        print(f"seed {seeds[0]}: exit {done.returncode}: {done.stderr.decode('utf-8', 'replace')[:500]}")
    for line in done.stdout.decode("utf-8").split("\n"):
        if line.split("\t", 1)[0] in COMPARED:
            got[line.split("\t", 2)[1]].append(line)
    differ = 0
    for seed, path, label in zip(seeds, paths, labels):
        try:
            want = expected(reference, str(path), label, options)
        except Exception:
            print(f"seed {seed}: the reference fails:\n{traceback.format_exc(limit=-3)}")
            differ += 1
            continue
        found = list(differences(want, got[label], options.order == "sorted"))
        if found:
            differ += 1
            print(f"seed {seed} ({options.order}, map {bool(options.map)}, stage {options.stage}, "
                  f"pid {options.pid}, limit {options.limit}):")
            print("\n".join(found[:3]))
            if keep:
                (keep / path.name).write_bytes(path.read_bytes())
                (keep / f"map{seed}.json").write_bytes(options.map_path.read_bytes())
    for formal, mapping in zip(paths[:PAIRS], paths[PAIRS:]):
        differ += not pair_agrees(reference, mapping, formal, environment, keep)
    for path in paths:
        path.unlink()
    return differ + bool(done.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-n", "--count", type=int, default=1000)
    parser.add_argument("-s", "--seed", type=int, default=1)
    parser.add_argument("-k", "--keep", type=Path, help="keep traces that differ here")
    parser.add_argument("bin", type=Path)
    parser.add_argument("reference", type=Path)
    args = parser.parse_args()
    reference = load_reference(args.reference)
    environment = {**os.environ, "LC_ALL": "C", "PATH": f"{args.bin.resolve()}:{os.environ['PATH']}"}
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    compared = differ = 0
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        for first in range(args.seed, args.seed + args.count, BATCH):
            seeds = range(first, min(first + BATCH, args.seed + args.count))
            differ += run_batch(reference, seeds, Path(name), environment, args.keep)
            compared += len(seeds)
    print(f"{compared} compared, {differ} differ")
    return 0 if compared and not differ else 1


if __name__ == "__main__":
    sys.exit(main())
