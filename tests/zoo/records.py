"""What was measured of each fault, kept once: the causes of today are asked of it again in a tenth of a second.

A record is a folder: the measurement, the baseline of the unpatched build, the policy, and a manifest of the one case.
A timed fault has many measurements, so only its verdict is kept, as it was given."""
import gzip
import json
import pathlib
import shutil
import tempfile

from fault_rows import FOLDER, Refused, faults_of
from gates import answer_on, no_answer, run_stepgate

MANIFEST, MEASUREMENT, VERDICT = "stepgate-manifest.json", "measurement.json", "verdict.json"
BESIDE = ("policies", "baselines")


def keep_record(folder, gate, row):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = gate.head / "out" / row["case"] / ("ab" if row["tier"] == "timed" else "exact")
    shutil.copy2(made / VERDICT, folder)
    if row["tier"] == "timed":
        return
    with open(made / MEASUREMENT, "rb") as measured, gzip.open(folder / f"{MEASUREMENT}.gz", "wb") as kept:
        shutil.copyfileobj(measured, kept)
    shutil.copy2(gate.head / MANIFEST, folder)
    for name in BESIDE:
        if (gate.head / name).is_dir():
            shutil.copytree(gate.head / name, folder / name)


def unpack(folder, project):
    """A build folder of the case, as `stepgate check` reads it."""
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest.update(policy_root=str(project / "policies"), baseline_root=str(project / "baselines"))
    (project / MANIFEST).write_text(json.dumps(manifest))
    for name in BESIDE:
        if (folder / name).is_dir():
            shutil.copytree(folder / name, project / name)
    with gzip.open(folder / f"{MEASUREMENT}.gz", "rb") as kept, open(project / MEASUREMENT, "wb") as measured:
        shutil.copyfileobj(kept, measured)


def outcome_of(folder, stepgate, row):
    """The outcome that this stepgate gives the record."""
    if not (folder / VERDICT).is_file():
        raise Refused(f"{folder} holds no record; ci/zoo {row['name']} --keep-records {folder.parent} makes one")
    if row["tier"] == "timed":
        return json.loads((folder / VERDICT).read_text())["outcomes"][0]
    with tempfile.TemporaryDirectory(prefix="stepgate-zoo-") as temporary:
        project = pathlib.Path(temporary).resolve()
        unpack(folder, project)
        words = ["check", str(project / MEASUREMENT), "--tier", "exact", "--build", str(project)]
        run_stepgate(stepgate, words, project, expect=(0, 1, 4))
        return json.loads((project / "out" / row["case"] / "exact" / VERDICT).read_text())["outcomes"][0]


def allowed_pairs(root, faults):
    """{(fault, code)}: causes beside the first one that a fault may be given, each with a reason in causes.json."""
    table = root / FOLDER / "causes.json"
    causes = {row["name"]: row["cause"] for row in faults}
    allowed = set()
    for pair in json.loads(table.read_text())["pairs"] if table.is_file() else []:
        fault, code = pair.get("fault"), pair.get("code")
        problem = (f"there is no fault {fault}" if fault not in causes else
                   "its reason is missing" if not pair.get("reason") or pair.keys() != {"fault", "code", "reason"} else
                   "it is the expected cause" if code == causes[fault] else
                   "it is there twice" if (fault, code) in allowed else "")
        if problem:
            raise Refused(f"{FOLDER}/causes.json: {fault}, {code}: {problem}")
        allowed.add((fault, code))
    return allowed


def causes_outside(outcome, row, allowed):
    """{code: message} of the causes that this fault must not be given."""
    causes = {}
    for finding in outcome["findings"]:
        expected = finding["code"] == row["cause"] or (row["name"], finding["code"]) in allowed
        if finding["severity"] == "cause" and not expected:
            causes.setdefault(finding["code"], finding["message"])
    return causes


def ask_records(root, faults, folder, stepgate):
    """{fault: answer}, as a run gives them, with the causes outside of the table. A timed fault may lack a record; any
    other without one is a problem of its own, and the others are asked."""
    if not stepgate.is_file():
        raise Refused(f"{stepgate} is not built; ci/build stepgate builds it, --stepgate FILE names another")
    allowed = allowed_pairs(root, faults_of(root))
    answers = {}
    for row in faults:
        if row["tier"] == "timed" and not (folder / row["name"]).is_dir():
            continue
        try:
            outcome = outcome_of(folder / row["name"], stepgate.resolve(), row)
        except Refused as refused:
            answers[row["name"]] = {**no_answer(row, str(refused)), "outside": {}}
            continue
        answer = answer_on(outcome, row, root)
        answer["outside"] = causes_outside(outcome, row, allowed)
        answer["problems"] += [f"cause {code} is not allowed: {text}" for code, text in answer["outside"].items()]
        answers[row["name"]] = answer
    return answers
