"""Writes test/data/linked/oracles.json: `python bench/linked/oracle.py` (or `pupils`: that part alone). Needs numpy and scipy.

Models of persons over time and of groups, written once more: the forward and backward recursions as plain loops, derivatives by complex steps (no formula of
a derivative is used), information by differences of these, maxima by scipy. Data and parameters come from numpy's generator.
"""

import csv
import json
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

ROOT = Path(__file__).resolve().parents[2]
SHAPE = (2, 2, 3)
WAVES, CLASSES = 4, 2
rng = np.random.default_rng(35)


def softmax(logits):
    """A distribution whose first logit is 0."""
    parts = np.exp(np.concatenate([[0], logits]))
    return parts / parts.sum()


class Reader:
    """Takes distributions off a list of parameters."""

    def __init__(self, theta):
        self.theta, self.at = theta, 0

    def take(self, count):
        self.at += count
        return self.theta[self.at - count : self.at]

    def distribution(self, length):
        return softmax(self.take(length - 1))

    def items(self):
        return [[self.distribution(size) for size in SHAPE] for _ in range(CLASSES)]


def likelihood(answers, items):
    """P[answers | class]; an answer below 0 is missing."""
    return np.array([np.prod([own[a] for own, a in zip(of, answers) if a >= 0]) for of in items])


def person(rows, initial, moves, items):
    """The log-likelihood of a person with a row of answers (or none) for every wave, and the posteriors by forward and backward sums."""
    likely = [np.ones(CLASSES) if row is None else likelihood(row, items) for row in rows]
    forward = [initial * likely[0]]
    for t in range(1, len(rows)):
        forward.append((forward[-1] @ moves[t - 1]) * likely[t])
    back = [np.ones(CLASSES)]
    for t in range(len(rows) - 1, 0, -1):
        back.insert(0, moves[t - 1] @ (likely[t] * back[0]))
    total = forward[-1].sum()
    return np.log(total), [f * b / total for f, b in zip(forward, back)]


# Models: from parameters to the log-likelihood of every unit.


def chain(theta, persons, same=False, stayers=False, explained=False):
    read = Reader(theta)
    items = read.items()
    initial = read.take(2) if explained else read.distribution(CLASSES)
    steps = 1 if same else WAVES - 1
    if explained:
        # An intercept for each class left and step, and a slope for each class left: of moving.
        intercepts, slopes = read.take(CLASSES * steps).reshape(CLASSES, steps), read.take(CLASSES)
    else:
        tables = [np.array([read.distribution(CLASSES) for _ in range(CLASSES)]) for _ in range(steps)]
    share = read.distribution(2)[1] if stayers else 0
    staying = read.distribution(CLASSES) if stayers else None
    units = []
    for each in persons:
        rows = each["rows"]
        first, moves = initial, None if explained else [tables[0 if same else t] for t in range(WAVES - 1)]
        if explained:
            first = softmax([initial[0] + initial[1] * each["sex"]])
            moves = []
            for t in range(1, WAVES):
                move = [softmax([intercepts[i, 0 if same else t - 1] + slopes[i] * each["x"][t]]) for i in range(CLASSES)]
                # The first entry is that of staying.
                moves.append(np.array([move[0], move[1][::-1]]))
        own, _ = person(rows, first, moves, items)
        if stayers:
            still = [np.prod([likelihood(row, items)[k] for row in rows if row is not None]) for k in range(CLASSES)]
            own = np.log((1 - share) * np.exp(own) + share * np.dot(staying, still))
        units.append(own)
    return np.array(units)


def nested(theta, groups, explained=False):
    read = Reader(theta)
    items = read.items()
    sizes = read.distribution(2)
    mixes = [read.take(1) if explained else read.distribution(CLASSES) for _ in range(2)]
    slope = read.take(1) if explained else None
    units = []
    for group in groups:
        logs = np.log(sizes)
        for answers, count, sex in group["members"]:
            likely = likelihood(answers, items)
            own = [softmax(mix + slope * sex) if explained else mix for mix in mixes]
            logs = logs + count * np.array([np.log(mix @ likely) for mix in own])
        most = max(logs, key=lambda each: each.real)
        units.append(most + np.log(np.exp(logs - most).sum()))
    return np.array(units)


def scores(units, theta):
    """The derivatives of the log-likelihood of every unit, by complex steps: units × parameters."""
    columns = []
    for p in range(len(theta)):
        moved = theta.astype(complex)
        moved[p] += 1e-30j
        columns.append(units(moved).imag / 1e-30)
    return np.array(columns).T


def fitted(units, start, weights):
    """The maximum near a start, the observed information there, and the sum of outer products with squared weights."""
    best = None
    for begin in start:
        found = minimize(
            lambda theta: -weights @ units(theta),
            begin,
            jac=lambda theta: -weights @ scores(units, theta),
            method="BFGS",
            options={"gtol": 1e-9, "maxiter": 1000},
        )
        if best is None or found.fun < best.fun:
            best = found
    theta = best.x
    step = 1e-5
    moved = [[weights @ scores(units, theta + sign * step * np.eye(len(theta))[p]) for sign in (1, -1)] for p in range(len(theta))]
    information = -np.array([(high - low) / (2 * step) for high, low in moved])
    return theta, (information + information.T) / 2


def errors_of(shown, theta, covariance):
    """Values that are shown, and their standard errors by the delta method."""
    derivatives = np.array([shown((theta + 1e-30j * np.eye(len(theta))[p])).imag / 1e-30 for p in range(len(theta))])
    variances = np.einsum("pi,pq,qi->i", derivatives, covariance, derivatives)
    return {"values": shown(theta).tolist(), "errors": np.sqrt(variances).tolist()}


def chain_shown(theta):
    """The initial sizes, the transitions, and then the probabilities of the items."""
    read = Reader(theta)
    items = np.concatenate([np.concatenate(of) for of in read.items()])
    initial = read.distribution(CLASSES)
    moves = [read.distribution(CLASSES) for _ in range((len(theta) - read.at) // (CLASSES - 1))]
    return np.concatenate([initial, *moves, items])


def nested_shown(theta):
    read = Reader(theta)
    items = np.concatenate([np.concatenate(of) for of in read.items()])
    return np.concatenate([read.distribution(2), read.distribution(CLASSES), read.distribution(CLASSES), items])


def logits(distribution):
    return np.log(distribution[1:] / distribution[0])


ITEMS = [[[0.85, 0.15], [0.8, 0.2], [0.6, 0.3, 0.1]], [[0.2, 0.8], [0.3, 0.7], [0.2, 0.3, 0.5]]]
OF_ITEMS = np.concatenate([logits(np.array(own)) for of in ITEMS for own in of])


def draw(shares):
    return int(rng.choice(len(shares), p=shares))


def answers_of(k, lacking=0.1):
    return [-1 if rng.random() < lacking else draw(own) for own in ITEMS[k]]


def draw_persons(count, gaps=True, staying=0.0):
    persons = []
    for _ in range(count):
        sex, k = draw([0.5, 0.5]), None
        x = [round(float(rng.integers(11)) / 10, 1) for _ in range(WAVES)]
        rows = []
        stays = rng.random() < staying
        for t in range(WAVES):
            start = 1 / (1 + np.exp(0.4 - 0.8 * sex))
            move = 1 / (1 + np.exp(1.2 - 1.2 * x[t]))
            k = draw([1 - start, start]) if k is None else (1 - k if rng.random() < move and not stays else k)
            rows.append(None if gaps and rng.random() < 0.12 else answers_of(k))
        if gaps:
            # Some leave early.
            rows = rows[: draw([0.1, 0.2, 0.7]) + 2]
        while rows and (rows[-1] is None or max(rows[-1]) < 0):
            rows.pop()
        if rows:
            persons.append({"rows": rows, "sex": sex, "x": x, "weight": round(float(rng.uniform(0.3, 3)), 3)})
    return persons


def draw_groups(count):
    groups = []
    for _ in range(count):
        mix = [[0.85, 0.15], [0.25, 0.75]][draw([0.6, 0.4])]
        members = [(answers_of(draw(mix)), round(float(rng.uniform(0.3, 3)), 3), draw([0.5, 0.5])) for _ in range(3 + int(rng.integers(10)))]
        groups.append({"members": [each for each in members if max(each[0]) >= 0]})
    return groups


def chain_at(persons, initial, moves, stayers=None):
    """The log-likelihood and the posteriors of every person at given parameters, by the recursions."""
    items = [[np.array(own) for own in of] for of in ITEMS]
    moving = [np.array(moves[t] if len(moves) > 1 else moves[0]) for t in range(WAVES - 1)]
    logs, posteriors = [], []
    for each in persons:
        own, found = person(each["rows"], np.array(initial), moving, items)
        if stayers is not None:
            still = np.array([np.prod([likelihood(row, items)[k] for row in each["rows"] if row is not None]) for k in range(CLASSES)])
            parts = stayers["share"] * np.array(stayers["sizes"]) * still
            movers = (1 - stayers["share"]) * np.exp(own)
            total = movers + parts.sum()
            found = [(movers * each + parts) / total for each in found]
            own = np.log(total)
        logs.append(own)
        posteriors.append([each.tolist() for each in found])
    return {"logLikelihoods": logs, "posteriors": posteriors}


def nested_at(groups, sizes, mixes):
    items = [[np.array(own) for own in of] for of in ITEMS]
    logs, ofGroups, members = [], [], []
    for group in groups:
        likely = [likelihood(answers, items) for answers, _, _ in group["members"]]
        joint = np.array([size * np.prod([np.dot(mix, own) for own in likely]) for size, mix in zip(sizes, mixes)])
        logs.append(np.log(joint.sum()))
        posterior = joint / joint.sum()
        ofGroups.append(posterior.tolist())
        members.append([sum(p * np.array(mix) * own / np.dot(mix, own) for p, mix in zip(posterior, mixes)).tolist() for own in likely])
    return {"logLikelihoods": logs, "groups": ofGroups, "members": members}


def maximum(units, starts, weights, shown):
    theta, information = fitted(units, starts, weights)
    own = scores(units, theta)
    inverse = np.linalg.inv(information)
    sandwich = inverse @ (own.T * weights**2 @ own) @ inverse
    result = {"logLikelihood": float(weights @ units(theta)), "gradient": float(np.abs(weights @ own).max())}
    result["sandwich"] = errors_of(shown, theta, sandwich)
    if np.allclose(weights, 1):
        result["observed"] = errors_of(shown, theta, inverse)
        result["empirical"] = errors_of(shown, theta, np.linalg.inv(own.T @ own))
    return result


class Pupils:
    """Three classes of pupils in two classes of schools, with one effect of sex in both (what glca's manual fits to nyts18), for all pupils at once."""

    CLASSES, SCHOOLS = 3, 2

    def __init__(self):
        with open(ROOT / "test/data/nyts-schools.csv") as file:
            rows = [row for row in csv.DictReader(file) for _ in range(int(row["pupils"]))]
        names = sorted({row["school"] for row in rows})
        self.school = np.array([names.index(row["school"]) for row in rows])
        self.sex = np.array([1.0 if row["sex"] == "Female" else 0.0 for row in rows])
        self.yes = np.array([[a == "1" for a in row["answers"]] for row in rows], dtype=float)
        self.seen = np.array([[a != "-" for a in row["answers"]] for row in rows], dtype=float)
        self.count = len(names)

    def read(self, theta):
        size = softmax(theta[:1])
        logit = np.zeros((len(self.sex), self.SCHOOLS, self.CLASSES), dtype=theta.dtype)
        logit[:, :, 1:] = theta[1:5].reshape(1, self.SCHOOLS, 2) + self.sex[:, None, None] * theta[5:7]
        share = np.exp(logit) / np.exp(logit).sum(axis=2, keepdims=True)
        yes = 1 / (1 + np.exp(-theta[7:].reshape(self.CLASSES, -1)))
        return size, share, yes

    def joint(self, theta):
        """P[class, answers | school class] of every pupil, and the logarithm of P[school class, answers] of every school."""
        size, share, yes = self.read(theta)
        likely = np.exp(self.yes @ np.log(yes).T + (self.seen - self.yes) @ np.log(1 - yes).T)
        joint = share * likely[:, None, :]
        logs = np.zeros((self.count, self.SCHOOLS), dtype=theta.dtype)
        np.add.at(logs, self.school, np.log(joint.sum(axis=2)))
        return joint, logs + np.log(size)

    def units(self, theta):
        _, logs = self.joint(theta)
        most = logs.real.max(axis=1, keepdims=True)
        return most[:, 0] + np.log(np.exp(logs - most).sum(axis=1))

    def as_glca(self, theta, own):
        """The scores as glca takes them: that of the size of a school class is added once for every pupil, a missing answer counts as one that was not given, and the
        effect of sex is there once for each school class, so that a generalized inverse divides it among equal columns."""
        joint, logs = self.joint(theta)
        _, _, yes = self.read(theta)
        posterior = np.exp(logs - logs.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
        classes = (posterior[self.school][:, :, None] * joint / joint.sum(axis=2, keepdims=True)).sum(axis=1)
        columns = own.copy()
        columns[:, 0] *= np.bincount(self.school)
        for k in range(self.CLASSES):
            for n in range(self.yes.shape[1]):
                np.add.at(columns[:, 7 + k * self.yes.shape[1] + n], self.school, -(1 - self.seen[:, n]) * classes[:, k] * yes[k, n])
        return np.hstack([columns[:, :7], columns[:, 5:7], columns[:, 7:]])

    def errors(self):
        of_items = [[0.01] * 5, [0.35, 0.2, 0.1, 0.8, 0.05], [0.9, 0.9, 0.6, 0.9, 0.5]]
        # Against those who used nothing: users of e-cigarettes, and of all.
        start = np.concatenate([[-0.5, -2.7, -4.5, -0.4, -1.2, 0.1, 0.6], logits_of(of_items)])
        theta, information = fitted(self.units, [start], np.ones(self.count))
        own = scores(self.units, theta)
        inverse = np.linalg.inv(information)
        of_sex = lambda covariance: np.sqrt(np.diag(covariance)[5:7]).tolist()
        twice = self.as_glca(theta, own)
        return {
            "logLikelihood": float(self.units(theta).sum()),
            "observed": of_sex(inverse),
            "empirical": of_sex(np.linalg.inv(own.T @ own)),
            "sandwich": of_sex(inverse @ own.T @ own @ inverse),
            "glca": of_sex(np.linalg.pinv(twice.T @ twice, rcond=1e-10)),
        }


def logits_of(probabilities):
    return np.log(np.array(probabilities) / (1 - np.array(probabilities))).ravel()


def main():
    path = ROOT / "test/data/linked/oracles.json"
    if sys.argv[1:] == ["pupils"]:
        write(path, {**json.loads(path.read_text()), "pupils": Pupils().errors()})
        return
    persons, regular, groups = draw_persons(70), draw_persons(120, gaps=False), draw_groups(40)
    staying = draw_persons(300, gaps=False, staying=0.5)
    initial, moves = [0.55, 0.45], [[[0.8, 0.2], [0.3, 0.7]], [[0.6, 0.4], [0.15, 0.85]], [[0.9, 0.1], [0.25, 0.75]]]
    stayers = {"share": 0.3, "sizes": [0.35, 0.65]}
    sizes, mixes = [0.6, 0.4], [[0.85, 0.15], [0.25, 0.75]]
    of_moves = [logits(np.array(row)) for step in moves for row in step]
    ones = np.ones(len(persons))
    weights = np.array([each["weight"] for each in persons])
    weights *= len(weights) / weights.sum()
    free = np.concatenate([OF_ITEMS, logits(np.array(initial)), *of_moves])
    same = np.concatenate([OF_ITEMS, logits(np.array(initial)), *of_moves[:2]])
    plain = [{"members": [(a, 1.0, s) for a, _, s in group["members"]]} for group in groups]
    counts = np.array([c for group in groups for _, c, _ in group["members"]])
    scale = len(counts) / counts.sum()
    weighted = [{"members": [(a, c * scale, s) for a, c, s in group["members"]]} for group in groups]
    # Random starts beside the parameters that the data was drawn from.
    near = lambda theta: [theta, theta + 0.3 * rng.standard_normal(len(theta))]
    of_groups = np.concatenate([OF_ITEMS, logits(np.array(sizes)), *[logits(np.array(mix)) for mix in mixes]])
    coefficients = lambda theta: theta[len(OF_ITEMS) :]
    explained = np.concatenate([OF_ITEMS, [-0.4, 0.8], [-1.5, -1.5], [1.2, 1.2]])
    result = {
        "items": ITEMS,
        "persons": persons,
        "regular": regular,
        "staying": staying,
        "groups": groups,
        "chain": {"initial": initial, "transitions": moves, **chain_at(persons, initial, moves)},
        "stayers": {"initial": initial, "transitions": moves[:1], "stayers": stayers, **chain_at(persons, initial, moves[:1], stayers)},
        "nested": {"groupSizes": sizes, "mixes": mixes, **nested_at(groups, sizes, mixes)},
        "maxima": {
            "chain": maximum(lambda theta: chain(theta, persons, same=True), near(same), ones, chain_shown),
            "weighted chain": maximum(lambda theta: chain(theta, persons, same=True), near(same), weights, chain_shown),
            "stayers": maximum(
                lambda theta: chain(theta, staying, same=True, stayers=True),
                near(np.concatenate([same, [0], [0.2]])),
                np.ones(len(staying)),
                lambda theta: np.concatenate([chain_shown(theta[: len(same)]), softmax(theta[-2:-1]), softmax(theta[-1:])]),
            ),
            # The logits of the second class against the first; of moving against staying.
            "explained chain": maximum(
                lambda theta: chain(theta, regular, same=True, explained=True), near(explained), np.ones(len(regular)), coefficients
            ),
            "nested": maximum(lambda theta: nested(theta, plain), near(of_groups), np.ones(len(groups)), nested_shown),
            "weighted nested": {
                **maximum(lambda theta: nested(theta, weighted), near(of_groups), np.ones(len(groups)), nested_shown),
            },
            "explained nested": maximum(
                lambda theta: nested(theta, plain, explained=True),
                near(np.concatenate([OF_ITEMS, [-0.4], [-1.5], [1], [0.1]])),
                np.ones(len(groups)),
                coefficients,
            ),
        },
    }
    for name, found in result["maxima"].items():
        print(f"{name}: {found['logLikelihood']:.6f}, largest slope {found['gradient']:.1e}")
    write(path, {**result, "pupils": Pupils().errors()})


def write(path, result):
    rounded = json.loads(json.dumps(result), parse_float=lambda text: float(f"{float(text):.13g}"))
    path.write_text(json.dumps(rounded, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
