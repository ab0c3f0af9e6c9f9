"""Compares fits of rows that belong together with EM in numpy: `python bench/linked/peers.py [panel [persons]|groups [groups]]`.

A default search of Polyad is measured beside ten random starts of EM (forward and backward recursion for persons, two levels for groups), in turns: half of
the starts, Polyad, the other half, Polyad. Polyad is run twice each time: the search by the library, and the whole command (reading, search, standard errors
and statistics). With `POLYAD_OLD`, the folder of another build's `packages/core/dist`, its search is run, too. Needs numpy, which runs on one thread.
"""

import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
POLYAD = ["node", str(ROOT / "packages/polyad/bin/polyad.js")]
SCRATCH = Path(tempfile.mkdtemp(prefix="polyad-linked-"))
STARTS, TOLERANCE, MOST = 10, 1e-8, 500
rng = np.random.default_rng(1)


def draw(shares):
    """A class for each row of cumulative shares."""
    return (rng.random(len(shares))[:, None] > np.cumsum(shares, axis=1)[:, :-1]).sum(axis=1)


def answers(classes, yes):
    return (rng.random((len(classes), yes.shape[1])) < yes[classes]).astype(np.int8)


def emission(data, yes):
    """P[row | class] of rows of 0 and 1."""
    return np.exp(data @ np.log(yes).T + (1 - data) @ np.log1p(-yes).T)


def converged(before, now):
    return before is not None and now - before <= TOLERANCE * abs(now)


def panel_em(data, waves, classes, seed):
    """EM of a chain from one random start; `data` has a row for each person and wave, in order."""
    own = np.random.default_rng(seed)
    persons = len(data) // waves
    real = data.astype(float)
    yes = own.uniform(0.2, 0.8, (classes, data.shape[1]))
    initial = own.dirichlet(np.ones(classes))
    moves = np.array([[own.dirichlet(np.ones(classes) + 3 * np.eye(classes)[k]) for k in range(classes)] for _ in range(waves - 1)])
    before = None
    for step in range(MOST):
        likely = emission(real, yes).reshape(persons, waves, classes)
        forward, scales = np.empty_like(likely), np.empty((persons, waves))
        for t in range(waves):
            prior = initial if t == 0 else forward[:, t - 1] @ moves[t - 1]
            forward[:, t] = prior * likely[:, t]
            scales[:, t] = forward[:, t].sum(axis=1)
            forward[:, t] /= scales[:, t, None]
        total = np.log(scales).sum()
        if converged(before, total):
            break
        before = total
        back = np.ones((persons, classes))
        posterior = np.empty_like(likely)
        for t in reversed(range(waves)):
            posterior[:, t] = forward[:, t] * back
            if t == 0:
                break
            next_ = likely[:, t] * back / scales[:, t, None]
            counts = moves[t - 1] * (forward[:, t - 1].T @ next_)
            back = next_ @ moves[t - 1].T
            moves[t - 1] = counts / counts.sum(axis=1, keepdims=True)
        initial = posterior[:, 0].mean(axis=0)
        flat = posterior.reshape(-1, classes)
        yes = np.clip((flat.T @ real) / flat.sum(axis=0)[:, None], 1e-10, 1 - 1e-10)
    return total, step


def groups_em(data, of, classes, mixes_of, seed):
    """EM of classes of groups from one random start; members are in the order of their groups, which are of one size."""
    own = np.random.default_rng(seed)
    groups = of.max() + 1
    size = len(data) // groups
    real = data.astype(float)
    yes = own.uniform(0.2, 0.8, (classes, data.shape[1]))
    sizes = own.dirichlet(np.ones(mixes_of))
    mixes = own.dirichlet(np.ones(classes), mixes_of)
    before = None
    for step in range(MOST):
        likely = emission(real, yes)
        by_mix = likely @ mixes.T
        logs = np.log(by_mix).reshape(groups, size, mixes_of).sum(axis=1) + np.log(sizes)
        most = logs.max(axis=1, keepdims=True)
        parts = np.exp(logs - most)
        total = (most[:, 0] + np.log(parts.sum(axis=1))).sum()
        if converged(before, total):
            break
        before = total
        parts /= parts.sum(axis=1, keepdims=True)
        sizes = parts.mean(axis=0)
        weight = np.repeat(parts, size, axis=0) / by_mix
        mixes_counts = mixes * (weight.T @ likely)
        posterior = likely * (weight @ mixes)
        mixes = mixes_counts / mixes_counts.sum(axis=1, keepdims=True)
        yes = np.clip((posterior.T @ real) / posterior.sum(axis=0)[:, None], 1e-10, 1 - 1e-10)
    return total, step


class Spent:
    """Seconds of the processor and of the clock, and how often they were measured."""

    def __init__(self):
        self.processor, self.clock, self.times = 0.0, 0.0, 0

    def add(self, processor, clock):
        self.processor, self.clock, self.times = self.processor + processor, self.clock + clock, self.times + 1

    @property
    def mean(self):
        return self.processor / self.times, self.clock / self.times


def run(command):
    """What a command prints as JSON, and the seconds of the processor and of the clock."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout), (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.time() - begun)


def compare(name, start, path, sizes, options):
    """Polyad and the starts of EM in turns."""
    search = {"search": ROOT / "packages/core/dist"}
    if "POLYAD_OLD" in os.environ:
        search["search of the other build"] = Path(os.environ["POLYAD_OLD"]).resolve()
    peers, spent, best, found = Spent(), {}, -np.inf, {}
    for half in range(2):
        processor, begun = time.process_time(), time.time()
        for seed in range(half * STARTS // 2, (half + 1) * STARTS // 2):
            best = max(best, start(seed)[0])
        peers.add(time.process_time() - processor, time.time() - begun)
        for what, folder in search.items():
            result, _ = run(["node", str(ROOT / "bench/linked/one-search.mjs"), str(folder), str(path), *map(str, sizes)])
            spent.setdefault(what, Spent()).add(result["processor"], result["clock"])
            found[what] = result["logLikelihood"]
        result, took = run([*POLYAD, "fit", str(path), "--json", *options])
        spent.setdefault("whole command", Spent()).add(*took)
        found["whole command"] = result["logLikelihood"]
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{name}\n  numpy, {STARTS} starts: {peers.processor:.1f} s of a processor, {peers.clock:.1f} s, {best:.2f}")
    for what, own in spent.items():
        processor, clock = own.mean
        print(f"  Polyad, {what}: {processor:.2f} s of a processor, {clock:.2f} s, {found[what]:.2f}")
        print(f"    ratios {peers.processor / processor:.1f} and {peers.clock / clock:.1f}")
    print(f"  largest memory of a process {memory:.0f} MiB")


def write(name, header, rows):
    path = SCRATCH / name
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def panel(persons=50_000, waves=6, items=8, classes=4):
    yes = rng.uniform(0.05, 0.95, (classes, items))
    moves = 0.8 * np.eye(classes) + 0.2 * rng.dirichlet(np.ones(classes), classes)
    own = draw(np.repeat([[0.4, 0.3, 0.2, 0.1]], persons, axis=0))
    path = [own]
    for _ in range(waves - 1):
        path.append(draw(moves[path[-1]]))
    classes_of = np.stack(path, axis=1).reshape(-1)
    data = answers(classes_of, yes)
    rows = [[i // waves, i % waves + 1, *row] for i, row in enumerate(data.tolist())]
    file = write("panel.csv", ["id", "wave", *[f"q{n}" for n in range(items)]], rows)
    options = ["-k", str(classes), "--person", "id", "--time", "wave", "--count", "none"]
    compare(f"{persons} persons x {waves} waves x {items} items, {classes} classes", lambda seed: panel_em(data, waves, classes, seed), file, [classes], options)


def groups(count=2_000, members=50, items=8, classes=4, mixes_of=3):
    yes = rng.uniform(0.05, 0.95, (classes, items))
    mixes = rng.dirichlet(np.ones(classes), mixes_of)
    of = np.repeat(np.arange(count), members)
    group_class = draw(np.repeat([[0.5, 0.3, 0.2]], count, axis=0))
    data = answers(draw(mixes[group_class[of]]), yes)
    rows = [[g, *row] for g, row in zip(of.tolist(), data.tolist())]
    file = write("groups.csv", ["school", *[f"q{n}" for n in range(items)]], rows)
    options = ["-k", str(classes), "--within", "school", "--group-classes", str(mixes_of), "--count", "none"]
    compare(f"{count} groups x {members} members x {items} items, {classes} classes in {mixes_of}", lambda seed: groups_em(data, of, classes, mixes_of, seed), file, [classes, mixes_of], options)


if __name__ == "__main__":
    name, *size = sys.argv[1:] or ["all"]
    if name in ("all", "panel"):
        panel(*map(int, size))
    if name in ("all", "groups"):
        groups(*map(int, size))
