"""Polyad from Python: fit a DataFrame, call any command, read models. Copy this file beside your program.

    import pandas as pd, polyad
    fit = polyad.fit(pd.read_csv("survey.csv"), classes=3, variables=["smoking", "drinking", "truancy"])
    fit.profiles, fit.classes, fit.fit, fit.predict(df), fit.plot(), print(fit.summary())

`polyad` must be on the PATH; or set POLYAD, for instance to "npx polyad". `fit` and `rank` need pandas, `load` needs NumPy.
"""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
import weakref


class PolyadError(RuntimeError):
    """A command that failed; `code` is POLYAD_OPTION, POLYAD_DATA, POLYAD_ENGINE or POLYAD_TIME."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class PolyadWarning(UserWarning):
    """What a command warns of; `code` says what it is about."""

    def __init__(self, message, code=None):
        super().__init__(message)
        self.code = code


def run(command, *files, **options):
    """Runs a command and returns its --json object: run("fit", "data.csv", k=3, modes="a,b", se=True). A list repeats an option."""
    ended = _call(command, *files, "--json", "--progress=json", **options)
    errors = _tell(ended.stderr)
    try:
        answer = json.loads(ended.stdout)
    except json.JSONDecodeError:
        raise RuntimeError(errors or ended.stderr.strip()) from None
    if "error" in answer:
        raise PolyadError(answer["error"])
    return answer


def _call(command, *words, **options):
    words = list(map(str, words))
    for name, given in options.items():
        option = ("-" if len(name) == 1 else "--") + name.replace("_", "-")
        for value in given if isinstance(given, (list, tuple)) else [given]:
            if value is not None and value is not False:
                words += [option] if value is True else [f"{option}={value}" if len(name) > 1 else f"{option}{value}"]
    call = os.environ.get("POLYAD", "polyad").split() + [command, *words]
    return subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")


def _tell(lines):
    """Warnings become warnings; notes, such as columns that are not used, are printed. Returns the errors."""
    errors = []
    for line in lines.splitlines():
        try:
            said = json.loads(line)
        except json.JSONDecodeError:
            said = {"kind": "note", "message": line}
        if said["kind"] == "warning":
            warnings.warn(PolyadWarning(said["message"], said.get("code")), stacklevel=4)
        elif said["kind"] == "note":
            sys.stderr.write(f"note: {said['message']}\n")
        elif said["kind"] == "error":
            errors.append(said["message"])
    return "\n".join(errors)


def fit(data, classes, variables=None, **options):
    """Fits a model to a DataFrame (or a file) and returns a Fit. Further options are those of `polyad fit`: weights="w", se=True, covariates="age"."""
    folder = tempfile.mkdtemp(prefix="polyad-")
    model = os.path.join(folder, "model.npz")
    try:
        with tempfile.TemporaryDirectory(prefix="polyad-") as rows:
            source, own = _source(data, rows)
            result = run("fit", source, k=classes, output=model, **_chosen(variables, own, options))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return Fit(result, model, folder)


def rank(data, classes="1..6", variables=None, **options):
    """Compares numbers of classes: a DataFrame with a row for each, and the recommendation in its `attrs`."""
    import pandas as pd

    with tempfile.TemporaryDirectory(prefix="polyad-") as folder:
        source, own = _source(data, folder)
        found = run("rank", source, k=classes, **_chosen(variables, own, options))
    rows = [{"classes": each["rank"], **_figures(each), **(each.get("criteria") or {})} for each in found["fits"]]
    table = pd.DataFrame(rows).set_index("classes")
    table.attrs.update(recommended=found["recommended"], reason=found["reason"])
    return table


class Fit:
    """A fitted model. `result` is the whole --json object of `polyad fit`."""

    def __init__(self, result, model, folder):
        self.result, self._model, self._folder = result, model, folder
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    @property
    def classes(self):
        """The share and the size of each class, with standard errors if there are some."""
        import pandas as pd

        shares = self.result["shares"]
        errors = (self.result.get("standardErrors") or {}).get("shares")
        table = pd.DataFrame({"share": shares, "size": [share * self.result["total"] for share in shares]}, index=self._names())
        return table if errors is None else table.assign(se=errors)

    @property
    def profiles(self):
        """P[category | class]: a row for each category of each variable, a column for each class."""
        return self._table([each["probabilities"] for each in self.result["profiles"]])

    @property
    def standard_errors(self):
        """The standard errors of the profiles; None without se=True."""
        factors = (self.result.get("standardErrors") or {}).get("factors")
        return None if factors is None else self._table(factors)

    @property
    def fit(self):
        """Log-likelihood, criteria and other figures of the fit."""
        import pandas as pd

        figures = {**_figures(self.result), **(self.result.get("criteria") or {})}
        return pd.DataFrame({"value": figures}).rename_axis("statistic")

    def predict(self, data, posterior=False, **options):
        """The most probable class of each row, its probability and log-likelihood; with posterior=True that of every class."""
        import pandas as pd

        with tempfile.TemporaryDirectory(prefix="polyad-") as folder:
            source, _ = _source(data, folder)
            output = os.path.join(folder, "classified.csv")
            answer = run("classify", self._model, source, output=output, posterior=posterior, **options)
            rows = pd.read_csv(output)
        for name, count in answer["unseen"].items():
            warnings.warn(PolyadWarning(f"{count} rows have a category of {name} that the model has not seen"), stacklevel=2)
        if isinstance(data, pd.DataFrame):
            rows = rows.iloc[:, data.shape[1] :]
            if len(rows) == len(data):
                rows.index = data.index
        return rows

    def plot(self, file=None, kind="profiles", **options):
        """Draws a chart (see `polyad plot`). Notebooks show it; `file` (.svg, .pdf, .png) keeps it."""
        target = file or os.path.join(self._folder, "chart.svg")
        run("plot", self._model, kind=kind, output=target, **options)
        return Chart(target)

    def report(self, file, data=None, **options):
        """Writes a report: one HTML file. With the data it has residuals too."""
        with tempfile.TemporaryDirectory(prefix="polyad-") as folder:
            sources = [] if data is None else [_source(data, folder)[0]]
            return run("report", self._model, *sources, output=file, **options)

    def summary(self):
        """The model as the command line prints it."""
        return _call("show", self._model).stdout.strip()

    def save(self, file):
        """Keeps the model in a file that every command reads."""
        if str(file).endswith(".npz"):
            shutil.copyfile(self._model, file)
        else:
            run("convert", self._model, file)

    def __repr__(self):
        return "\n".join([f"Polyad: {self.result['rank']} classes of {len(self.result['modes'])} variables", *self.result.get("summary", [])])

    def _names(self):
        return range(1, len(self.result["shares"]) + 1)

    def _table(self, by_variable):
        import pandas as pd

        rows = {
            (profile["name"], label): [of_class[j] for of_class in by_class]
            for profile, by_class in zip(self.result["profiles"], by_variable)
            for j, label in enumerate(profile["labels"])
        }
        table = pd.DataFrame.from_dict(rows, orient="index", columns=pd.RangeIndex(1, len(self.result["shares"]) + 1, name="class"))
        table.index = pd.MultiIndex.from_tuples(rows, names=["variable", "category"])
        return table


class Chart:
    """A chart in a file; notebooks show it."""

    def __init__(self, file):
        self.file = file
        if str(file).endswith(".svg"):
            with open(file, encoding="utf-8") as text:
                self._svg = text.read()

    def _repr_svg_(self):
        return getattr(self, "_svg", None)


def _figures(result):
    numbers = {name: value for name, value in result.items() if isinstance(value, (int, float)) and not isinstance(value, bool)}
    return {name: value for name, value in numbers.items() if name not in ("rank", "seconds")}


def _source(data, folder):
    """The file of the data, and the options that its types imply: ordered categories have an order."""
    if not hasattr(data, "to_csv"):
        return data, {}
    file = os.path.join(folder, "data.csv")
    data.to_csv(file, index=False)
    ordered = [name for name, kind in data.dtypes.items() if getattr(kind, "ordered", False)]
    return file, {name: _list([label for label in data[name].cat.categories if (data[name] == label).any()]) for name in ordered}


def _chosen(variables, own, options):
    chosen = dict(options)
    if variables is not None:
        chosen["modes"] = _list(variables)
    used = None if variables is None else set(variables)
    order = [f"{_list([name])}={labels}" for name, labels in own.items() if (used is None or name in used) and labels]
    given = chosen.pop("order", [])
    return {**chosen, "order": [*order, *(given if isinstance(given, (list, tuple)) else [given])]}


def _list(names):
    """Names with commas between, in quotes where they need some."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(names)
    return text.getvalue()


def load(file):
    """Reads a .npz model: shares, sizes, and for each variable its labels and P[label, class]."""
    import numpy as np

    arrays = np.load(file)
    description = json.loads(str(arrays["model.json"]))
    sizes = arrays["weights"]
    variables = {
        mode["name"]: {"labels": mode.get("labels", list(range(mode["size"]))), "probabilities": arrays[f"factor_{n}"]}
        for n, mode in enumerate(description["modes"], start=1)
    }
    return {"sizes": sizes, "shares": sizes / sizes.sum(), "variables": variables, "run": description.get("run", {})}
