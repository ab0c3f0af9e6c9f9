"""Runs one peer on one problem and prints a line of JSON: the loss after every step, seconds a step (of the clock and of
the processor), peak memory.

The loss is that of Polyad: the model's total mass less the sum of y log m.
"""

import json
import resource
import sys
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")


def load(folder, modes):
    indices = np.stack([np.load(f"{folder}/index{n}.npy") for n in range(modes)], axis=1).astype(np.int64)
    return indices, np.load(f"{folder}/values.npy")


def start(folder, modes, rank):
    weights = np.load(f"{folder}/weights.npy")
    return weights, [np.load(f"{folder}/factor{n}.npy").reshape(-1, rank) for n in range(modes)]


class Watch:
    """Seconds of the clock and of the processor, step by step."""

    def __init__(self):
        self.seconds, self.cpu = [], []
        self.begin()
        self.began = self.used

    def begin(self):
        self.at, self.used = time.perf_counter(), time.process_time()

    def end(self):
        self.seconds.append(time.perf_counter() - self.at)
        self.cpu.append(time.process_time() - self.used)

    def spent(self):
        return time.process_time() - self.began


def loss(indices, values, weights, factors):
    mass = weights * np.prod([factor.sum(axis=0) for factor in factors], axis=0)
    total = 0.0
    for at in range(0, len(values), 200_000):
        part = slice(at, at + 200_000)
        products = np.tile(weights, (len(values[part]), 1))
        for n, factor in enumerate(factors):
            products *= factor[indices[part, n]]
        total += float(values[part] @ np.log(products.sum(axis=1)))
    return float(mass.sum()) - total


def sparse_start(task, indices, values):
    """The tensor and the model to start from, as pyttb has them, and the loss of that model."""
    import pyttb as ttb

    tensor = ttb.sptensor(indices, values[:, None], tuple(task["shape"]))
    weights, factors = start(task["folder"], len(task["shape"]), task["rank"])
    model = ttb.ktensor([f.copy() for f in factors], weights * values.sum() / weights.sum())
    return tensor, model, [loss(indices, values, model.weights, model.factor_matrices)]


def pyttb_apr(task):
    import pyttb as ttb

    modes, rank = len(task["shape"]), task["rank"]
    indices, values = load(task["folder"], modes)
    if task.get("rows"):
        keep = np.random.default_rng(1).permutation(len(values))[: task["rows"]]
        indices, values = indices[keep], values[keep]
    tensor, model, losses = sparse_start(task, indices, values)
    watch = Watch()
    for _ in range(task["steps"]):
        watch.begin()
        model, _, _ = ttb.cp_apr(
            tensor, rank, algorithm=task["variant"], init=model, maxiters=1, printitn=0, printinneritn=0
        )
        watch.end()
        losses.append(loss(indices, values, model.weights, model.factor_matrices))
        change = abs(losses[-2] - losses[-1]) / abs(losses[-1])
        if change < 1e-7 or watch.spent() > task["budget"]:
            break
    return watch, losses


def genten_sgd(task):
    """GenTen's stochastic gradients: its exact gradients need a dense tensor. One step is the whole run."""
    import os

    os.environ.update(OMP_NUM_THREADS="1", OMP_PROC_BIND="false")
    import pygenten

    modes, rank = len(task["shape"]), task["rank"]
    indices, values = load(task["folder"], modes)
    tensor, model, losses = sparse_start(task, indices, values)
    watch = Watch()
    for _ in range(task["steps"]):
        watch.begin()
        model, _, _ = pygenten.gcp_sgd(
            tensor, rank=rank, init=model, loss_function_type="poisson", maxiters=task["epochs"], printitn=0, timings=False
        )
        watch.end()
        losses.append(loss(indices, values, model.weights, model.factor_matrices))
        if watch.spent() > task["budget"]:
            break
    return watch, losses


def sklearn_nmf(task):
    import scipy.sparse as sp
    from sklearn.decomposition import non_negative_factorization

    indices, values = load(task["folder"], 2)
    weights, factors = start(task["folder"], 2, task["rank"])
    matrix = sp.csr_matrix((values, (indices[:, 0], indices[:, 1])), shape=task["shape"])
    left, right = factors[0] * weights, np.ascontiguousarray(factors[1].T)

    def run(w, h, steps):
        return non_negative_factorization(
            matrix, W=w.copy(), H=h.copy(), n_components=task["rank"], init="custom", solver="mu",
            beta_loss="kullback-leibler", max_iter=steps, tol=0,
        )[:2]

    # The seconds of a step from one long run: each call has costs of its own.
    run(left, right, 1)
    watch = Watch()
    for steps in [1, 11]:
        watch.begin()
        run(left, right, steps)
        watch.end()
    losses = [loss(indices, values, np.ones(task["rank"]), [left, right.T])]
    for _ in range(task["steps"]):
        left, right = run(left, right, 1)
        losses.append(loss(indices, values, np.ones(task["rank"]), [left, right.T]))
        if abs(losses[-2] - losses[-1]) / abs(losses[-1]) < 1e-7 or watch.spent() > task["budget"]:
            break
    watch.seconds, watch.cpu = ([(long - once) / 10] * (len(losses) - 1) for once, long in [watch.seconds, watch.cpu])
    return watch, losses


def stepmix_em(task):
    from stepmix.stepmix import StepMix

    table = np.stack([np.load(f"{task['folder']}/answer{n}.npy") for n in range(task["items"])], axis=1)
    total = len(table)
    watch, likelihoods = Watch(), []

    class Watched(StepMix):
        def _e_step(self, *args, **kwargs):
            result = super()._e_step(*args, **kwargs)
            watch.end()
            watch.begin()
            likelihoods.append(float(result[0]))
            return result

    model = Watched(
        n_components=task["rank"], measurement=task["variant"], n_init=1, max_iter=task["steps"], abs_tol=0,
        rel_tol=1e-9, random_state=1, verbose=0, progress_bar=0,
    )
    model.fit(table)
    losses = [total - total * (value + np.log(total)) for value in likelihoods]
    # What came before the first step is not a step's.
    watch.seconds, watch.cpu = watch.seconds[1:], watch.cpu[1:]
    return watch, losses


PEERS = {"pyttb": pyttb_apr, "genten": genten_sgd, "scikit-learn": sklearn_nmf, "stepmix": stepmix_em}

if __name__ == "__main__":
    job = json.loads(sys.argv[1])
    timed, trace = PEERS[job["peer"]](job)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    # The last line: libraries may print lines of their own.
    print("\n" + json.dumps({"seconds": timed.seconds, "cpu": timed.cpu, "losses": trace, "memory": memory}), flush=True)
