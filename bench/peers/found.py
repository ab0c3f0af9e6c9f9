"""What a program finds with its default settings, seed by seed: found.py PROGRAM FILE CLASSES STARTS SEEDS. Prints a line
of JSON. The log-likelihood is that of the table's cells, as every program here prints it: the sum of y log p."""

import json
import sys
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")
program, path, classes, starts, seeds = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
cells = np.genfromtxt(path, delimiter=",", skip_header=1)
codes, counts = cells[:, :-1] - 1, cells[:, -1]
shape = tuple(int(most) + 1 for most in np.nanmax(codes, axis=0))


def likelihood(weights, factors):
    """Of a sum of rank-one tensors, brought to a total of 1."""
    products = np.tile(weights, (len(counts), 1)).astype(float)
    for n, factor in enumerate(factors):
        products *= factor[codes[:, n].astype(int)]
    mass = (weights * np.prod([factor.sum(axis=0) for factor in factors], axis=0)).sum()
    return float(counts @ np.log(products.sum(axis=1) / mass))


def stepmix(seed):
    from stepmix.stepmix import StepMix

    rows = np.repeat(codes, counts.astype(int), axis=0)
    kind = "categorical_nan" if np.isnan(rows).any() else "categorical"
    model = StepMix(classes, measurement=kind, n_init=starts, random_state=seed, verbose=0, progress_bar=0)
    used = time.process_time()
    model.fit(rows)
    used = time.process_time() - used
    figures = {"parameters": int(model.n_parameters), "bic": float(model.bic(rows)), "df": None}
    return float(model.score(rows)) * len(rows), int(model.n_iter_), used, figures


def pyttb(seed):
    import pyttb as ttb

    tensor = ttb.sptensor(codes.astype(int), counts[:, None], shape)
    np.random.seed(seed)
    used = time.process_time()
    model, _, info = ttb.cp_apr(tensor, classes, printitn=0, printinneritn=0)
    used = time.process_time() - used
    return likelihood(model.weights, model.factor_matrices), len(info["nInnerIters"]), used, {}


run = {"StepMix": stepmix, "pyttb": pyttb}[program]
found = [run(seed) for seed in range(1, seeds + 1)]
figures = max(found, key=lambda each: each[0])[3]
record = {name: [each[i] for each in found] for i, name in enumerate(["logLikelihoods", "steps", "cpu"])}
print("\n" + json.dumps({"df": None, "parameters": None, "bic": None, **record, **figures}), flush=True)
