"""stepgate on an emulated GPU: gate, accept, gate; a planted fault; ranks; which library ran; wrong uses."""

import json
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from gate_runner import BUILD, CASE as CHAR_LM, FAULTY, STEPGATE, Workplace, causes, metric, training_data

EMULATION = BUILD / "emulated_gpu"
PERFTESTS = BUILD / "bin" / "perftests"
DIGITS = "vision/digits_cnn/gpu_small"
PARALLEL = "language/char_lm_parallel/gpu_small"
H100 = ["--device", "emulated:h100"]
TITLE = "emulated H100, model 1"
CLASS = "emulated-h100"
READ_AS = ["--runner-class", CLASS]  # of results that lie there already
ONCE = ["--exact-replicates", "1"]  # where it does not matter whether two processes count alike


def on_gpu(program, case, gpus=1):
    """A project with one case for a GPU."""
    place = Workplace(program=program, case=case)
    place.manifest["schema"]["minor"] = 2
    place.manifest["cases"][0].update(device="cuda", gpus=gpus)
    place.write_manifest()
    return place


def leaves(value, path=""):
    """(path, value) of everything in a document that is no object and no list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}/{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, path)
    else:
        yield path, value


# How long the process took on its host, and what disturbed it. None of them depends on the emulated GPU's clock.
TIMES_OF_THE_HOST = ("/evidence/values/wall_s", "/background/cpu_ns", "/background/step_cpu_ns", "/unix_s", "/age_s",
                     "/outcomes/seconds", "/plan/timeout_s", "/evidence/values/gpu_hw_thermal_ns",
                     "/evidence/values/gpu_power_brake_ns", "/evidence/values/gpu_sw_thermal_ns",
                     "/evidence/values/gpu_sync_boost_ns")


def is_of_time(path):
    return "/absent/" not in path and bool(re.search(r"(_ns|_us|_s|seconds|_time|per_s|idle_ratio)(/|$)", path))


def environment(**more):
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("STEPGATE_", "LD_")) and k != "CI"}
    return {**variables, "NO_COLOR": "1", **more}


def require_emulation():
    if not (EMULATION / "complete").exists():
        raise AssertionError(f"cmake --build {BUILD} --target emulated_gpu")


class Gate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_emulation()
        cls.place = on_gpu(PERFTESTS, DIGITS)
        cls.first = cls.place.run("gate", DIGITS, *H100, expect=5)
        cls.place.accept(expect=0)
        cls.second = cls.place.run("gate", DIGITS, *H100, expect=0)
        folder = cls.place.out / DIGITS / "exact"  # later runs write there too
        cls.results = {path.name: path.read_text() for path in folder.iterdir() if path.suffix in (".json", ".md", ".xml")}

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def test_the_first_gate_offers_to_accept_and_the_second_passes(self):
        self.assertIn(f"baseline accept {DIGITS}", self.first.stdout)
        self.assertTrue(self.second.stdout.startswith("1 pass"), self.second.stdout)

    def test_the_baseline_has_a_folder_and_a_key_of_its_own(self):
        files = [path.relative_to(self.place.baselines) for path in self.place.baselines.rglob("*.json")]
        self.assertEqual([str(path) for path in files], [f"{CLASS}/{DIGITS}.exact.json"])
        baseline = json.loads((self.place.baselines / files[0]).read_text())
        self.assertEqual(baseline["key"]["gpu"], TITLE)
        self.assertEqual(baseline["runner_class"], CLASS)

    def test_each_report_names_it(self):
        self.assertIn(CLASS, self.second.stdout)
        self.assertIn(CLASS, self.results["summary.md"])
        self.assertEqual(json.loads(self.results["verdict.json"])["runner_class"], CLASS)
        hosts = {node.get("hostname") for node in ElementTree.fromstring(self.results["junit.xml"]).iter("testsuite")}
        self.assertEqual(hosts, {CLASS})

    def test_the_record_says_which_library_ran(self):
        measurement = json.loads(self.results["measurement.json"])
        facts = measurement["replicates"][0]["record"]["fingerprint"]
        self.assertEqual(facts["gpu"], TITLE)
        self.assertTrue(facts["cuda_library"].startswith(str(EMULATION.resolve())), facts["cuda_library"])
        self.assertTrue(facts["cuda_library_digest"])

    def test_there_are_no_times(self):
        measurement = json.loads(self.results["measurement.json"])
        self.assertEqual({replicate["group"] for replicate in measurement["replicates"]}, {"exact"})
        verdict = json.loads(self.results["verdict.json"])["outcomes"][0]
        self.assertEqual([one["metric"] for one in verdict["metrics"]
                          if one["metric"] in ("step_time_ns", "first_step_ns", "device_idle_ratio")], [])
        self.assertIn("an emulated GPU has no times", self.second.stderr)

    def test_no_time_of_it_is_in_any_document(self):
        for name in ("measurement.json", "verdict.json"):
            keys = {path for path, value in leaves(json.loads(self.results[name])) if value is not None and is_of_time(path)}
            self.assertEqual(sorted(key for key in keys if not key.endswith(TIMES_OF_THE_HOST)), [], name)

    def test_each_report_leads_to_what_a_green_proves(self):
        page = self.place.folder / "page.html"
        report = self.place.run("report", DIGITS, *READ_AS, "--html", str(page), expect=0)
        for text in (self.second.stdout, report.stdout, page.read_text()):
            self.assertIn("emulated H100", text)
            self.assertIn("docs/emulated_green.md", text)
        self.assertIn("emulated H100", self.results["summary.md"])
        names = {node.get("name") for node in ElementTree.fromstring(self.results["junit.xml"]).iter("testcase")}
        self.assertEqual(names, {f"{DIGITS} (emulated H100)"})

    def test_each_export_names_it_or_says_that_it_has_no_times(self):
        for form in ("openmetrics", "junit", "csv", "pytorch", "sarif", "bencher", "github-action-smaller"):
            file = self.place.folder / form
            self.place.run("report", DIGITS, *READ_AS, "--export", f"{form}={file}", expect=0)
            self.assertIn("emulated H100", file.read_text(), form)
            self.assertNotRegex(file.read_text(), r"_seconds|step_time|per_s\b", form)
        for form in ("google-benchmark", "pyperf"):
            file = self.place.folder / form
            done = self.place.run("report", DIGITS, *READ_AS, "--export", f"{form}={file}")
            self.assertNotEqual(done.returncode, 0, form)
            self.assertIn("emulated H100 has no times", done.stderr)
            self.assertFalse(file.exists(), form)

    def test_a_runner_without_it_does_not_read_its_baseline(self):
        done = self.place.run("gate", DIGITS, "--tier", "exact", "--runner-class", CLASS, expect=2)
        self.assertIn("is that of an emulated GPU", done.stderr)

    def test_another_model_has_no_baseline(self):
        results = self.place.out
        self.place.out = self.place.folder / "of_another_model"
        try:
            self.place.run("gate", DIGITS, "--device", "emulated:a100", *ONCE, expect=5)
        finally:
            self.place.out = results

    def test_hazards_are_looked_for_in_a_process_of_their_own(self):
        if not (EMULATION / "libstepgate_emulated_values.so").exists():
            self.skipTest("cmake --build BUILD --target emulated_gpu_values")
        self.place.run("gate", DIGITS, *H100, "--hazards", *ONCE, expect=0)
        folder = self.place.out / DIGITS / "exact"
        hazards = json.loads((folder / "measurement.json").read_text())["hazards"]
        self.assertEqual(hazards["found"], [])
        self.assertGreater(hazards["accesses"], 1000)
        metrics = json.loads((folder / "verdict.json").read_text())["outcomes"][0]["metrics"]
        self.assertEqual([one["status"] for one in metrics if one["metric"] == "stream_hazards"], ["pass"])


class Profiled(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_emulation()
        cls.place = on_gpu(PERFTESTS, DIGITS)
        cls.html = cls.place.folder / "page.html"
        cls.said = cls.place.run("profile", DIGITS, *H100, "--html", str(cls.html), expect=0)
        folder = cls.place.out / "profile" / DIGITS
        cls.files = {path.name for path in folder.iterdir() if path.is_file()}
        cls.profile = json.loads((folder / "profile.json").read_text())
        cls.markdown = (folder / "profile.md").read_text()

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def test_it_counts_operators_layout_and_memory_in_one_process(self):
        self.assertEqual(self.profile["processes"], 1)
        names = {row["site"]["name"] for row in self.profile["operators"]}
        self.assertIn("aten::convolution_backward", names)
        self.assertGreater(self.profile["flops"], 0)
        self.assertIn("census", self.profile)
        self.assertGreater(self.profile["memory"]["peak_bytes"], 0)
        self.assertEqual(len(self.profile["checklist"]), 30)

    def test_no_time_is_told(self):
        self.assertEqual(self.profile["operator_times"], "none")
        times = {path: value for path, value in leaves(self.profile)
                 if value and re.search(r"(_ns|/ns|share|per_s|/worth|seconds_)(/|$)", path)}
        self.assertEqual(times, {})
        for part in ("step", "roofs", "times of operators", "experiments"):
            self.assertEqual(self.profile["absent"][part], "an emulated GPU has no times")
        self.assertEqual(self.files & {"roofline.svg", "stacks.folded", "trace.json.gz"}, set())

    def test_each_page_names_the_gpu(self):
        for text in (self.said.stdout, self.markdown, self.html.read_text()):
            self.assertIn("emulated H100", text)

    def test_a_case_for_the_cpu_is_refused(self):
        self.place.manifest["cases"].append({**self.place.manifest["cases"][0], "name": "vision/digits_cnn/tiny",
                                             "device": "cpu", "gpus": 0})
        self.place.write_manifest()
        self.assertIn("runs on the CPU", self.place.run("profile", "vision/digits_cnn/tiny", *H100, expect=2).stderr)


class StrayItem(unittest.TestCase):
    """The host reads the loss in each step (faulty_char_lm.cpp)."""

    @classmethod
    def setUpClass(cls):
        require_emulation()
        cls.place = on_gpu(FAULTY, CHAR_LM)
        cls.place.run("gate", CHAR_LM, *H100, expect=5)
        cls.place.accept(expect=0)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def test_is_red_in_syncs_and_copies_and_names_the_line(self):
        self.place.run("gate", CHAR_LM, *H100, fault="stray_item", expect=1)
        outcome = self.place.verdict("exact")
        for name in ("host_syncs_per_step", "d2h_copies_per_step"):
            found = metric(outcome, name)
            self.assertEqual(found["status"], "regressed", found)
            self.assertAlmostEqual(found["current"] - found["baseline"], 1, msg=str(found))
        self.assertRegex(causes(outcome), r"aten::_local_scalar_dense")
        self.assertRegex(causes(outcome), r"faulty_char_lm.cpp:\d+ in StrayItem::loss_of")


class Ranks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_emulation()
        cls.place = on_gpu(PERFTESTS, PARALLEL, gpus=2)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def test_each_rank_gets_the_emulation(self):
        self.place.run("run", PARALLEL, "--device", "emulated:h100:2", *ONCE, expect=0)
        measurement = json.loads((self.place.out / PARALLEL / "exact" / "measurement.json").read_text())
        facts = measurement["replicates"][0]["record"]["fingerprint"]
        self.assertEqual(facts["ranks"], "2")
        self.assertEqual(facts["gpu"], TITLE)
        self.assertEqual(len(set(facts["gpu_pci_bus_id"].split(","))), 2)

    def test_one_device_is_too_few(self):
        done = self.place.run("gate", PARALLEL, *H100, expect=77)
        self.assertIn("needs 2 GPUs, this machine offers 1 (--device emulated:h100)", done.stderr)
        self.assertIn("--device emulated:h100:N", done.stderr)


class Evidence(unittest.TestCase):
    """A perftest program that is started by hand: what it has loaded must be what was asked for."""

    def started(self, *words, **variables):
        require_emulation()
        return subprocess.run([str(PERFTESTS), f"--stepgate_case={DIGITS}", "--stepgate_group=exact",
                               f"--stepgate_record={os.devnull}", f"--stepgate_data={training_data()}", *words],
                              env=environment(**variables), capture_output=True, text=True, timeout=300)

    def test_an_emulation_that_nobody_asked_for_ends_the_process(self):
        done = self.started(LD_AUDIT=str(EMULATION / "libstepgate_emulated_loader.so"), STEPGATE_EMULATED_GPU="h100")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("no emulated GPU was asked for", done.stderr)

    def test_an_emulation_that_is_not_there_ends_the_process(self):
        done = self.started("--stepgate_emulated")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("an emulated GPU was asked for", done.stderr)

    def test_an_emulated_library_in_ld_preload_ends_the_process(self):
        done = self.started(LD_PRELOAD=str(EMULATION / "libcudart.so.13"))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("no emulated GPU was asked for", done.stderr)
        self.assertIn("LD_PRELOAD", done.stderr)

    def test_a_left_over_machine_gives_way_to_the_one_that_is_asked_for(self):
        place = on_gpu(PERFTESTS, DIGITS)
        try:
            done = place.run("run", DIGITS, *H100, *ONCE, env={"STEPGATE_EMULATED_GPU": "t4:4 mode=values"}, expect=0)
            self.assertIn(f"{DIGITS} on emulated:h100: ", done.stdout)
            measurement = json.loads((place.out / DIGITS / "exact" / "measurement.json").read_text())
            self.assertEqual(measurement["replicates"][0]["record"]["fingerprint"]["gpu"], TITLE)
        finally:
            place.close()

    def test_left_over_variables_fail_a_gate(self):
        place = on_gpu(PERFTESTS, DIGITS)
        try:
            done = place.run("run", DIGITS, "--tier", "exact", expect=3,
                             env={"LD_AUDIT": str(EMULATION / "libstepgate_emulated_loader.so"),
                                  "STEPGATE_EMULATED_GPU": "h100"})
            self.assertIn("no emulated GPU was asked for", done.stderr)
        finally:
            place.close()


class Doctor(unittest.TestCase):
    def test_names_the_emulated_gpu(self):
        require_emulation()
        done = subprocess.run([str(STEPGATE), "doctor", *H100, "--json"], env=environment(), capture_output=True,
                              text=True, timeout=600)
        self.assertIn(done.returncode, (0, 3), done.stderr)  # 3: a check that verdicts rest on does not hold there
        self.assertEqual(json.loads(done.stdout)["gpu"]["gpu"], TITLE)


class Misuse(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_emulation()
        cls.place = on_gpu(PERFTESTS, DIGITS)
        cls.place.manifest["cases"].append({**cls.place.manifest["cases"][0], "name": "vision/digits_cnn/tiny",
                                            "device": "cpu", "gpus": 0})
        cls.place.write_manifest()

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def refused(self, *words):
        return self.place.run("gate", *words, expect=2).stderr

    def test_an_unknown_model(self):
        self.assertIn("take one of h100, h200, a100, l4, t4", self.refused(DIGITS, "--device", "emulated:h1000"))

    def test_a_case_for_the_cpu(self):
        self.assertIn("vision/digits_cnn/tiny runs on the CPU", self.refused("vision/digits_cnn/tiny", *H100))

    def test_hazards_without_it(self):
        self.assertIn("found on an emulated GPU alone", self.refused(DIGITS, "--tier", "exact", "--hazards"))

    def test_times(self):
        self.assertIn("has no times", self.refused(DIGITS, *H100, "--tier", "timed"))

    def test_a_folder_made_for_another_libtorch(self):
        place = on_gpu(PERFTESTS, DIGITS)
        try:
            shutil.copytree(EMULATION, place.folder / "emulated_gpu", ignore=shutil.ignore_patterns("generated"))
            (place.folder / "emulated_gpu" / "libtorch").write_text("libtorch_cuda.so 12\n")
            done = place.run("gate", DIGITS, *H100, expect=2)
            self.assertIn("was made for another LibTorch than", done.stderr)
            self.assertIn("--target emulated_gpu", done.stderr)
        finally:
            place.close()

    def test_a_build_without_it(self):
        place = on_gpu("program", DIGITS)
        try:
            shutil.copy("/bin/true", place.folder / "program")
            done = place.run("gate", DIGITS, *H100, expect=2)
            self.assertIn("there is no folder emulated_gpu", done.stderr)
            self.assertIn("--target emulated_gpu", done.stderr)
        finally:
            place.close()


if __name__ == "__main__":
    unittest.main()
