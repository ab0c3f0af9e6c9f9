"""Compares fits of numbers, scales and counts with other programs: `python bench/items/peers.py [compare|mixed|speed|values]`.

Needs numpy, scipy, scikit-learn and stepmix, and R with mclust and flexmix; polyad is the one of this repository.
"""

import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

warnings.filterwarnings("ignore")
ROOT = Path(__file__).resolve().parents[2]
POLYAD = ["node", str(ROOT / "packages/polyad/bin/polyad.js")]
SCRATCH = Path(tempfile.mkdtemp(prefix="polyad-items-"))


class Clock:
    """Seconds by the clock, and of the processor in this process and those that it has run."""

    def __init__(self):
        self.begun = self.now()

    def now(self):
        own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return time.time(), sum(each.ru_utime + each.ru_stime for each in (own, children))

    def __str__(self):
        wall, processor = (now - begun for now, begun in zip(self.now(), self.begun))
        return f"{wall:6.1f} s, of the processor {processor:6.1f} s"


def polyad(path, classes, *options):
    """The JSON of a fit, and the seconds that it took."""
    begun = Clock()
    command = [*POLYAD, "fit", str(path), "-k", str(classes), "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout), str(begun)


def rscript(text):
    return subprocess.run(["Rscript", "-e", text], capture_output=True, text=True, check=True).stdout


def write(name, header, rows):
    path = SCRATCH / name
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def sizes(shares):
    return " ".join(f"{share:.3f}" for share in sorted(shares, reverse=True))


def numbers_of(path):
    with open(path) as file:
        header, *rows = list(csv.reader(file))
    return header, np.array(rows, float)


def datasets():
    """Name, columns with steps, classes: iris, and three more with fine steps."""
    from sklearn.datasets import load_iris, load_wine

    iris = load_iris().data
    yield "iris", write("iris.csv", ["a", "b", "c", "d"], iris), "a:0.1,b:0.1,c:0.1,d:0.1", 3
    wine = load_wine().data[:, [0, 1, 2, 3, 5, 6, 8, 9, 10, 11]]
    names = [f"v{i}" for i in range(wine.shape[1])]
    yield "wine", write("wine.csv", names, wine), ",".join(f"{name}:0.01" for name in names), 3
    rscript(f'write.csv(faithful, "{SCRATCH}/faithful.csv", row.names = FALSE)')
    yield "faithful", SCRATCH / "faithful.csv", "eruptions:0.001,waiting:1", 2
    rscript(
        f'library(mclust); data(wdbc); write.csv(wdbc[, c(3, 4, 7, 10, 11)], "{SCRATCH}/wdbc.csv", row.names = FALSE)'
    )
    header, _ = numbers_of(SCRATCH / "wdbc.csv")
    steps = [0.01, 0.01, 0.00001, 0.00001, 0.0001]
    yield "wdbc", SCRATCH / "wdbc.csv", ",".join(f"{n}:{s}" for n, s in zip(header, steps)), 2


def compare():
    from sklearn.mixture import GaussianMixture

    print(f"{'data':10} {'variances':9} {'program':24} {'log-likelihood':>15}  class sizes")
    for name, path, columns, classes in datasets():
        _, x = numbers_of(path)
        for variances, model in (("free", "VVI"), ("equal", "EEI")):
            found, _ = polyad(path, classes, "--continuous", columns, "--count", "none", "--variances", variances)
            line = f"{name:10} {variances:9}"
            print(f"{line} {'polyad':24} {found['logDensity']:15.4f}  {sizes(found['shares'])}")
            if variances == "free":
                best = GaussianMixture(
                    classes, covariance_type="diag", n_init=50, tol=1e-9, max_iter=5000, reg_covar=1e-10, random_state=1
                ).fit(x)
                print(f"{line} {'scikit-learn diag':24} {best.score(x) * len(x):15.4f}  {sizes(best.weights_)}")
            text = rscript(
                f'suppressMessages(library(mclust)); x <- read.csv("{path}");'
                f'm <- Mclust(x, G = {classes}, modelNames = "{model}", verbose = FALSE, control = emControl(tol = c(1e-10, 1e-10)));'
                "cat(sprintf('%.6f', m$loglik), m$parameters$pro)"
            ).split()
            print(f"{line} {'mclust ' + model:24} {float(text[0]):15.4f}  {sizes(map(float, text[1:]))}")


def mixed():
    """Categories and numbers with missing values against StepMix; counts against flexmix; scales against EM in numpy."""
    import pandas as pd
    from stepmix.stepmix import StepMix

    rng = np.random.default_rng(5)
    n = 1500
    k = rng.choice(2, n, p=[0.6, 0.4])
    numbers = np.column_stack([np.round(rng.normal(10 + 3 * k, 1 + k), 2), np.round(rng.normal(5 - k, 1.5), 2)])
    binary = (rng.random((n, 2)) < np.where(k == 1, 0.8, 0.3)[:, None]).astype(float)
    data = np.column_stack([numbers, binary])
    data[rng.random(data.shape) < 0.1] = np.nan
    names = ["x", "y", "p", "q"]
    path = write("mixed.csv", names, [["" if np.isnan(v) else f"{v:g}" for v in row] for row in data])
    found, _ = polyad(path, 2, "--continuous", "x:0.01,y:0.01", "-m", ",".join(names), "--count", "none")
    kinds = {
        "numbers": {"model": "gaussian_diag_nan", "n_columns": 2},
        "answers": {"model": "binary_nan", "n_columns": 2},
    }
    peer = StepMix(2, measurement=kinds, n_init=10, random_state=1, abs_tol=1e-10, rel_tol=0, max_iter=5000, progress_bar=0, verbose=0)
    frame = pd.DataFrame(data, columns=names)
    peer.fit(frame)
    print(f"mixed, 10% missing   polyad {found['logDensity']:.4f}  {sizes(found['shares'])}")
    print(f"                      StepMix {peer.score(frame) * n:.4f}  {sizes(peer.get_parameters()['weights'])}")

    visits = np.column_stack([rng.poisson(np.where(k == 1, 7, 2)), rng.poisson(np.where(k == 1, 1, 4))])
    path = write("counts.csv", ["u", "v"], visits.tolist())
    found, _ = polyad(path, 2, "--counts", "u,v", "--count", "none")
    text = rscript(
        f'suppressMessages(library(flexmix)); set.seed(1); x <- read.csv("{path}");'
        'm <- stepFlexmix(as.matrix(x) ~ 1, k = 2, nrep = 10, model = FLXMCmvpois(), control = list(iter = 2000, tol = 1e-13), verbose = FALSE);'
        "cat(sprintf('%.6f', as.numeric(logLik(m))), prior(m))"
    ).split()
    print(f"counts                polyad {found['logLikelihood']:.6f}  {sizes(found['shares'])}")
    print(f"                      flexmix {float(text[0]):.6f}  {sizes(map(float, text[1:]))}")

    scale = np.stack([np.clip(np.round(rng.normal(1.2 + 1.2 * k, 1)), 0, 3).astype(int) for _ in range(4)], 1)
    path = write("scales.csv", ["a", "b", "c", "d"], scale.tolist())
    found, _ = polyad(path, 2, "--ordinal", "a,b,c,d", "-m", "a,b,c,d", "--count", "none")
    print(f"scales                polyad {found['logLikelihood']:.8f}  {sizes(found['shares'])}")
    best = max((ordinal_em(scale, 4, seed) for seed in range(5)), key=lambda each: each[0])
    print(f"                      numpy EM {best[0]:.8f}  {sizes(best[1])}")


def ordinal_em(x, categories, seed, steps=3000):
    """EM of two classes with adjacent-category logits, whose M-step is by Newton's method."""
    rng = np.random.default_rng(seed)
    n, items = x.shape
    score = np.arange(categories)
    post = rng.dirichlet([1, 1], n)
    theta = np.zeros((items, categories))  # thresholds 2…J, and the slope of the second class

    def table(t):
        eta = np.stack([np.concatenate([[0], t[:-1]]) + b * score for b in (0, t[-1])], 1)
        p = np.exp(eta - eta.max(0))
        return p / p.sum(0)

    last = -np.inf
    for _ in range(steps):
        for i in range(items):
            counts = np.stack([post[x[:, i] == j].sum(0) for j in range(categories)])
            for _ in range(25):
                p = table(theta[i])
                # Sufficient statistics: counts of categories 2…J, and the sum of the scores of the second class.
                design = [np.vstack([np.eye(categories)[:, 1:].T, score * c]) for c in (0, 1)]
                gradient = sum(design[c] @ (counts[:, c] - counts[:, c].sum() * p[:, c]) for c in (0, 1))
                hessian = sum(
                    counts[:, c].sum() * design[c] @ (np.diag(p[:, c]) - np.outer(p[:, c], p[:, c])) @ design[c].T
                    for c in (0, 1)
                )
                step = np.linalg.solve(hessian, gradient)
                theta[i] += step
                if np.abs(step).max() < 1e-12:
                    break
        shares = post.mean(0)
        log = np.log(shares) + sum(np.log(table(theta[i]))[x[:, i]] for i in range(items))
        top = log.max(1, keepdims=True)
        likelihood = float((top[:, 0] + np.log(np.exp(log - top).sum(1))).sum())
        post = np.exp(log - top)
        post /= post.sum(1, keepdims=True)
        if likelihood - last < 1e-10:
            break
        last = likelihood
    return likelihood, shares


def speed():
    """Side by side, in turns."""
    import pandas as pd
    from sklearn.mixture import GaussianMixture
    from stepmix.stepmix import StepMix

    rng = np.random.default_rng(1)
    n, d, classes = 100_000, 10, 5
    k = rng.integers(classes, size=n)
    means = rng.normal(0, 2, (classes, d))
    x = np.round(rng.normal(means[k], 1), 2)
    names = [f"x{i}" for i in range(d)]
    path = write("large.csv", names, x.tolist())
    columns = ",".join(f"{name}:0.01" for name in names)
    for turn in range(2):
        found, seconds = polyad(path, classes, "--continuous", columns, "--count", "none")
        print(f"100,000 × 10 numbers  turn {turn + 1}  polyad        {seconds}  {found['logDensity']:.1f}", flush=True)
        begun = Clock()
        peer = GaussianMixture(classes, covariance_type="diag", n_init=10, random_state=turn).fit(x)
        print(f"                              scikit-learn  {begun}  {peer.score(x) * n:.1f}", flush=True)
    n, d = 20_000, 10
    k = rng.integers(3, size=n)
    numbers = np.round(rng.normal(rng.normal(0, 1, (3, d))[k], 1), 2)
    answers = (rng.random((n, d)) < rng.uniform(0.1, 0.9, (3, d))[k]).astype(int)
    names = [f"x{i}" for i in range(d)] + [f"q{i}" for i in range(d)]
    path = write("both.csv", names, [[*a, *b] for a, b in zip(numbers.tolist(), answers.tolist())])
    columns = ",".join(f"x{i}:0.01" for i in range(d))
    frame = pd.DataFrame(np.column_stack([numbers, answers]), columns=names)
    kinds = {"numbers": {"model": "gaussian_diag", "n_columns": d}, "answers": {"model": "binary", "n_columns": d}}
    for turn in range(2):
        found, seconds = polyad(path, 3, "--continuous", columns, "-m", ",".join(names), "--count", "none")
        print(f"20,000 × 20 mixed     turn {turn + 1}  polyad        {seconds}  {found['logDensity']:.1f}", flush=True)
        begun = Clock()
        peer = StepMix(3, measurement=kinds, n_init=10, random_state=turn, progress_bar=0, verbose=0)
        peer.fit(frame)
        print(f"                              StepMix       {begun}  {peer.score(frame) * n:.1f}", flush=True)


def values():
    """What a variable costs of which every row has another value: the same numbers, with two digits and with eight, one start each."""
    rng = np.random.default_rng(4)
    n, d, classes = 50_000, 4, 3
    k = rng.choice(classes, n, p=[0.5, 0.3, 0.2])
    x = rng.normal(rng.normal(0, 2, (classes, d))[k], 1)
    for digits in (2, 8):
        names = [f"x{i}" for i in range(d)]
        path = write(f"digits{digits}.csv", names, [[f"{value:.{digits}f}" for value in row] for row in x])
        columns = ",".join(f"{name}:{10.0 ** -digits:g}" for name in names)
        found, seconds = polyad(path, classes, "--continuous", columns, "--count", "none", "--starts", "1")
        print(f"50,000 × 4, values {found['shape']}  {seconds}  {found['totalPasses']} passes  {found['logDensity']:.1f}", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or ["compare", "mixed", "speed", "values"]:
        {"compare": compare, "mixed": mixed, "speed": speed, "values": values}[name]()
