"""Writes the fixtures of this folder, and what pyreadstat reads from them: see README.md."""

import datetime
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat

here = Path(__file__).parent

rng = np.random.default_rng(7)
rows = 12
trust = rng.integers(1, 6, rows).astype(float)
trust[[3, 10]] = 8
trust[5] = 9
age = rng.integers(18, 80, rows).astype(float)
age[[2, 9]] = [98, 99]
age[7] = np.nan
frame = pd.DataFrame(
    {
        "respondent": np.arange(1.0, rows + 1),
        "Vertrauen_in_Institutionen": trust,
        "gender": rng.choice(["m", "f", ""], rows),
        "vote": rng.integers(1, 4, rows).astype(float),
        "age": age,
        "city": rng.choice(["Zürich", "Genève", "İstanbul", "São Paulo"], rows),
        "answer": ["x" * (i * i * 5) + "é" for i in range(rows)],
        "weight": np.round(rng.uniform(0.3, 2.5, rows), 3),
        "day": [datetime.date(2024, 2, 28) + datetime.timedelta(days=int(i)) for i in range(rows)],
        "moment": [datetime.datetime(1999, 12, 31, 23, 59, 30) + datetime.timedelta(seconds=11 * int(i)) for i in range(rows)],
    }
)
frame.loc[4, "vote"] = np.nan
frame.loc[6, "day"] = None
labels = {
    "Vertrauen_in_Institutionen": {1: "very low", 2: "low", 3: "middle", 4: "high", 5: "very high", 8: "don't know", 9: "refused"},
    "gender": {"m": "Männer", "f": "Frauen"},
    "vote": {1: "yes", 2: "no", 3: "abstain"},
    "age": {98: "don't know", 99: "refused"},
}
titles = {
    "Vertrauen_in_Institutionen": "Wie sehr vertrauen Sie den Institutionen?",
    "vote": "Vote in the last ballot",
    "age": "Age in years",
}
common = dict(
    column_labels=titles,
    variable_value_labels=labels,
    missing_ranges={"Vertrauen_in_Institutionen": [8, 9], "age": [{"lo": 97, "hi": 99}]},
    variable_measure={"Vertrauen_in_Institutionen": "ordinal", "gender": "nominal", "vote": "nominal", "age": "scale"},
)
pyreadstat.write_sav(frame, str(here / "pyreadstat-none.sav"), **common)
pyreadstat.write_sav(frame, str(here / "pyreadstat-bytes.sav"), row_compress=True, **common)
pyreadstat.write_sav(frame, str(here / "pyreadstat-zlib.zsav"), compress=True, **common)

stata = frame.drop(columns=["gender"]).assign(
    Vertrauen_in_Institutionen=trust.astype(np.int8), vote=frame["vote"].astype("Int16"), small=np.float32(rng.uniform(-1, 1, rows).round(2))
)
numeric = {name: own for name, own in labels.items() if name != "gender"}
for version in (8, 12, 13, 15):
    own = stata if version >= 14 else stata.drop(columns=["city"])
    own = own if version >= 13 else own.assign(answer=[text[:200] for text in own["answer"]])
    pyreadstat.write_dta(own, str(here / f"pyreadstat-{version}.dta"), version=version, variable_value_labels=numeric, column_labels=titles)

# pandas has a writer of its own, also with the larger byte first.
written = stata.assign(
    vote=pd.Categorical.from_codes(rng.integers(0, 3, rows), ["yes", "no", "abstain"], ordered=True),
    day=pd.to_datetime(stata["day"]),
    moment=pd.to_datetime(stata["moment"]),
    city=[text.encode("ascii", "replace").decode() for text in stata["city"]],
    answer=[text.replace("é", "e") for text in stata["answer"]],
)
dates = {"day": "td", "moment": "tc"}
for version, order in ((114, "big"), (117, "little"), (118, "big"), (119, "little")):
    own = written if version > 114 else written.assign(answer=[text[:200] for text in written["answer"]])
    extra = {"convert_strl": ["answer"]} if version > 114 else {}
    own.to_stata(here / f"pandas-{version}-{order}.dta", version=version, byteorder=order, convert_dates=dates, write_index=False, variable_labels=titles, **extra)

# A survey as people have it: the election study of 2000, with its labels, and 9 for no answer.
election = pd.read_csv(here.parent / "election.csv")
answers = {1: "Extremely well", 2: "Quite well", 3: "Not too well", 4: "Not well at all", 9: "No answer"}
parties = ["Strong Democrat", "Weak Democrat", "Independent, lean Democrat", "Independent", "Independent, lean Republican", "Weak Republican", "Strong Republican"]
about = {"MORAL": "moral", "CARES": "really cares about people like you", "KNOW": "knowledgeable", "LEAD": "strong leader", "DISHON": "dishonest", "INTEL": "intelligent"}
items = [name for name in election if name != "PARTY"]
pyreadstat.write_sav(
    election.fillna(9),
    str(here / "election.zsav"),
    compress=True,
    column_labels={**{name: f"How well does it describe {'Gore' if name.endswith('G') else 'Bush'}: {about[name[:-1]]}" for name in items}, "PARTY": "Party identification"},
    variable_value_labels={**{name: answers for name in items}, "PARTY": {**{i + 1: party for i, party in enumerate(parties)}, 9: "No answer"}},
    missing_ranges={name: [9] for name in election},
    variable_measure={name: "ordinal" for name in election},
)

subprocess.run(["pspp", "-o", "/dev/null", "make.sps"], cwd=here, check=True)
subprocess.run(["Rscript", "make.R"], cwd=here, check=True)


def plain(value):
    if value is None or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, (pd.Timestamp, datetime.datetime)):
        text = value.isoformat(sep=" ")
        return text[:23] if "." in text else text
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (np.integer, np.floating, int, float)):
        return float(value)
    return str(value)


def bounded(value):
    # JSON knows no infinity.
    return math.copysign(1e300, value) if isinstance(value, float) and abs(value) > 1e300 else value


for path in sorted([*here.glob("*.sav"), *here.glob("*.zsav"), *here.glob("*.dta")]):
    if path.name == "election.zsav":  # It is compared with ../election.csv.
        continue
    if path.suffix == ".dta":
        data, meta = pyreadstat.read_dta(str(path), user_missing=False)
    else:
        data, meta = pyreadstat.read_sav(str(path), user_missing=True)
    columns = [
        {
            "name": name,
            "label": label or "",
            "measure": meta.variable_measure.get(name, "unknown"),
            "labels": [[plain(code) if not isinstance(code, str) else code, text] for code, text in meta.variable_value_labels.get(name, {}).items()],
            "missing": [{side: bounded(value) for side, value in own.items()} for own in (meta.missing_ranges or {}).get(name, [])],
            "values": [plain(value) for value in data[name]],
        }
        for name, label in zip(meta.column_names, meta.column_labels)
    ]
    text = json.dumps({"rows": len(data), "columns": columns}, ensure_ascii=False, indent=None, separators=(",", ":"))
    (here / f"{path.name}.json").write_text(text + "\n", encoding="utf-8")
sys.stdout.write("written\n")
