"""Gates faults of GPU cases on an emulated GPU. Each is red with its cause at its line; the log confirms the cause; the
program without the line is green, and against values of the faulty one no metric is red that the fault made red."""
from emulated_gates import EmulatedGate
from emulated_rows import LOG_OF_CAUSE
from fault_rows import Refused
from gates import answer_on, red_metrics
from machine_log import change_of, problem_of_change
from zoo_run import Zoo, share


def log_problems(row, base, head):
    """What the log of the machine does not confirm: the row's figures, and those of the cause."""
    def ask(name, expected):
        return problem_of_change(name, expected, change_of(name, base, head))
    problems = [problem for name, expected in row["log"].items() if (problem := ask(name, expected))]
    backing = LOG_OF_CAUSE.get(row["cause"], ())
    if backing and all(ask(name, expected) for name, expected in backing):
        problems.append(f"the log does not back {row['cause']}: no "
                        f"{' or '.join(f'{expected} {name}' for name, expected in backing)}")
    return problems


class EmulatedZoo(Zoo):
    targets = ("stepgate", "perftests", "emulated_gpu", "emulated_gpu_values")
    gate_of = EmulatedGate

    def answer_of(self, row, gate):
        hazards = row.get("hazards", False)
        outcome = gate.measure(0, 1, hazards=hazards)
        red, answer = red_metrics(outcome), answer_on(outcome, row, self.root)
        answer["red"] = sorted(red)
        problems = answer["problems"]
        if not red:  # a row without metrics asks for any
            answer["caught"] = False
            problems.append("nothing is red")
        if self.has_log(gate):
            of_log = log_problems(row, gate.base_log, gate.log_of(row["name"]))
            answer["log"] = not of_log
            problems += of_log
        mended = gate.measure_mended()
        answer["mended"] = mended["status"]
        answer["mended_red"] = sorted(red_metrics(mended))
        if (both := red & red_metrics(mended)) and "both_ways" not in row:
            problems.append(f"red with the fault and with its mend: {', '.join(sorted(both))}")
        answer["reverted"] = gate.measure_reverted(hazards)["status"]
        if answer["reverted"] != "pass":
            problems.append(f"without the line it is {answer['reverted']}")
        return {**answer, "problems": problems}

    @staticmethod
    def has_log(gate):
        return gate.gpus == 1

    def status_of(self, case):
        """Of a build with counterparts, which have no effect: with hazards where a fault of the case is one."""
        hazards = any(row["case"] == case and row.get("hazards") for row in self.faults)
        try:
            return self.gates[case].measure(0, 1, 4, hazards=hazards)["status"]
        except Refused as refused:
            return str(refused)

    def prepare(self, faults):
        self.faults = faults
        super().prepare(faults)


def emulated_summary(answers):
    """{what: "N of M (P %)"}."""
    lines = [answer for answer in answers.values() if "line_right" in answer]
    logs = [answer["log"] for answer in answers.values() if "log" in answer]
    return {"faults found": share(sum(answer["caught"] for answer in answers.values()), len(answers)),
            "causes right": share(sum(answer["cause_right"] for answer in answers.values()), len(answers)),
            "lines right": share(sum(answer["line_right"] for answer in lines), len(lines)),
            "confirmed by the machine's log": share(sum(logs), len(logs)),
            "green without the line": share(sum(answer.get("reverted") == "pass" for answer in answers.values()),
                                            len(answers)),
            "counterparts green": share(sum(answer.get("counterpart") == "pass" for answer in answers.values()),
                                        len(answers))}
