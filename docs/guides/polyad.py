"""Polyad from Python: call commands, and read models. Copy this file beside your program.

`polyad` must be on the PATH; or set POLYAD, for instance to "npx polyad".
"""

import json
import os
import subprocess
import sys


class PolyadError(RuntimeError):
    """A command that failed; `code` is POLYAD_OPTION, POLYAD_DATA, POLYAD_ENGINE or POLYAD_TIME."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


def run(command, *files, **options):
    """Runs a command and returns its --json object: run("fit", "data.csv", k=3, modes="a,b", se=True)."""
    words = []
    for name, value in options.items():
        option = ("-" if len(name) == 1 else "--") + name.replace("_", "-")
        if value is not None and value is not False:
            words += [option] if value is True else [f"{option}={value}" if len(name) > 1 else f"{option}{value}"]
    call = os.environ.get("POLYAD", "polyad").split() + [command, *map(str, files), *words, "--json"]
    ended = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    try:
        answer = json.loads(ended.stdout)
    except json.JSONDecodeError:
        raise RuntimeError(ended.stderr.strip()) from None
    if "error" in answer:
        raise PolyadError(answer["error"])
    sys.stderr.write(ended.stderr)  # what the command noticed, such as columns that it left out
    return answer


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
