// Every reader gets damaged documents: it reads them or throws Error with a remedy, and never anything else.
#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <string>

#include "json/benchmarks/benchmark_file_json.h"
#include "json/expect_error.h"
#include "json/records/benchmark_output_json.h"
#include "json/records/hazard_lines.h"
#include "json/records/measurement_json.h"
#include "json/records/run_record_json.h"
#include "json/results/run_report_json.h"
#include "json/sample_documents.h"
#include "json/stored/ab_plan_json.h"
#include "json/stored/baseline_json.h"
#include "json/stored/journal_json.h"
#include "json/stored/manifest_json.h"
#include "json/stored/policy_json.h"
#include "json/studies/ablation_json.h"
#include "json/studies/doctor_json.h"
#include "json/studies/profile_json.h"
#include "json/studies/sweep_json.h"
#include "support/sample_ablation.h"
#include "support/sample_doctor.h"
#include "support/sample_profile.h"
#include "support/sample_sweep.h"
#include "support/text_mutator.h"

namespace stepgate {
namespace {

using TextReader = std::function<void(const std::string& text)>;

/// 300 mutations take about 10 ms for the largest document; under the sanitizers twenty times as long.
constexpr int mutations = 300;

void attack(const std::string& text, std::uint64_t seed, const TextReader& read) {
  read(text);  // undamaged it must be readable, else the loop tests nothing
  TextMutator mutator(seed);
  for (int i = 0; i < mutations; ++i) {
    const std::string damaged = mutator.mutated(text);
    try {
      read(damaged);
    } catch (const Error& error) {
      EXPECT_FALSE(error.remedy().empty()) << error.what();
    } catch (const std::exception& other) {
      ADD_FAILURE() << "mutation " << i << ": " << other.what() << "\n" << damaged.substr(0, 2000);
    }
  }
}

TEST(MutatedDocuments, RunRecords) {
  const TextReader read = [](const std::string& text) { run_record_from_text(text, "a.json"); };
  attack(to_text(sample_exact_record()), 1, read);
  attack(to_text(sample_timed_record()), 2, read);
  attack(to_text(sample_profile_record()), 12, read);
}

/// As the processes of one run on an emulated GPU write it.
const std::string hazards_of_two_processes =
    R"({"kind": "read after write", "earlier": {"work": "kernels", "operator": "aten::abs", "writes": true, )"
    R"("device": 0, "stream": 7, "in_graph": true, "place": {"offsets": ["1a2b", "ff"]}, "for_forward": false}, )"
    R"("later": {"work": "host", "operator": "", "writes": false, "device": 0, "stream": 0, "in_graph": false, )"
    R"("place": {"offsets": []}, "for_forward": false}, "bytes": 64, "page_locked": true, "reused": false, )"
    R"("remedy": "wait"})"
    "\n"
    R"({"end": true, "accesses": 9, "kernels": 5, "unknown_kernels": 2, "hazards": 1, "forgotten": 0})"
    "\n"
    R"({"end": true, "accesses": 0, "kernels": 0, "unknown_kernels": 0, "hazards": 0, "forgotten": 0})"
    "\n";

TEST(MutatedDocuments, Measurements) {
  const TextReader read = [](const std::string& text) { measurement_from_text(text, "a.json"); };
  attack(to_text(sample_measurement()), 3, read);
  Measurement with_hazards = sample_measurement();
  with_hazards.hazards = hazards_from_text(hazards_of_two_processes, "a.jsonl").hazards;
  attack(to_text(with_hazards), 19, read);
}

TEST(MutatedDocuments, FilesOfHazards) {
  attack(hazards_of_two_processes, 20, [](const std::string& text) { hazards_from_text(text, "a.jsonl"); });
}

TEST(MutatedDocuments, Baselines) {
  const TextReader read = [](const std::string& text) { baseline_from_text(text, "a.json"); };
  attack(to_text(sample_runner_baseline()), 4, read);
  attack(to_text(sample_portable_baseline()), 5, read);
  Baseline with_calls = sample_portable_baseline();
  with_calls.operator_functions = {{"forward", {{"aten::mm", {{"CharLm::loss", 4}}}}}};
  with_calls.functions_from = "lines";
  with_calls.function_calls = {{"", {{"main", 4, 8}}}, {"main", {{"clip", 4, 12}, {"CharLm::loss", 4, 4}}}};
  attack(to_text(with_calls), 15, read);
  Baseline of_emulated_gpu = sample_portable_baseline();
  of_emulated_gpu.scope = Scope::device;
  of_emulated_gpu.runner_class = "emulated-h100";
  of_emulated_gpu.numerics->key = {{"isa", "avx2"}};
  attack(to_text(of_emulated_gpu), 21, read);
}

TEST(MutatedDocuments, PoliciesAndManifests) {
  attack(to_text(sample_policy()), 6, [](const std::string& text) { policy_from_text(text, "a.json"); });
  attack(sample_manifest_text(), 7, [](const std::string& text) { manifest_from_text(text, "/a/a.json"); });
}

TEST(MutatedDocuments, Results) {
  attack(to_text(sample_run_report()), 8, [](const std::string& text) { run_report_from_text(text, "a.json"); });
  attack(to_text(sample_sweep()), 9, [](const std::string& text) { sweep_from_text(text, "a.json"); });
  attack(to_text(sample_ablation()), 10, [](const std::string& text) { ablation_from_text(text, "a.json"); });
  attack(to_text(sample_laptop()), 11, [](const std::string& text) { doctor_from_text(text, "a.json"); });
}

TEST(MutatedDocuments, Profiles) {
  Profile profile = sample_profile();
  profile.params = {{"batch_size", "8"}};
  profile.boundary_memory = {{"forward", {.peak_allocated_bytes = 8, .allocated_bytes = 7, .reserved_bytes = 9}}};
  profile.low_roofs = {"the measured float32 peak is too low: aten::mm in forward reaches 118.0 % of it"};
  attack(to_text(profile), 16, [](const std::string& text) { profile_from_text(text, "a.json"); });
}

TEST(MutatedDocuments, PlansOfPairs) {
  AbPlan plan;
  plan.case_name = "language/char_lm/tiny";
  attack(to_text(plan), 12, [](const std::string& text) { ab_plan_from_text(text, "a.json"); });
}

TEST(MutatedDocuments, GoogleBenchmarkOutput) {
  const std::string text = R"({"context": {"date": "2026-11-22", "executable": "train", "num_cpus": 2,
 "library_build_type": "release"}, "benchmarks": [
 {"name": "a/8", "run_name": "a/8", "run_type": "iteration", "repetitions": 2, "repetition_index": 0, "threads": 1,
  "iterations": 100, "real_time": 2.5e+00, "cpu_time": 2.25, "time_unit": "us", "bad": NaN, "items_per_second": 4e5},
 {"name": "b", "run_type": "iteration", "iterations": 0, "real_time": -Infinity, "cpu_time": 0, "time_unit": "ns",
  "error_occurred": true, "error_message": "no data"}]})";
  attack(text, 13, [](const std::string& damaged) { benchmark_output_from_text(damaged, "a.json"); });
}

TEST(MutatedDocuments, FilesOfNvbenchAndPyperf) {
  const TextReader read = [](const std::string& damaged) { benchmark_file_from_text(damaged, "a.json"); };
  attack(R"({"meta": {"argv": ["x"]}, "devices": [{"id": 0, "name": "H100"}], "benchmarks": [{"name": "c", "states": [
 {"name": "s", "is_skipped": false, "summaries": [{"tag": "nv/cold/time/gpu/mean", "data": [
  {"name": "value", "type": "float64", "value": "1.5e-05"}]}]}]}]})",
         17, read);
  attack(
      R"({"benchmarks": [{"metadata": {"name": "a", "loops": 2}, "runs": [{"metadata": {"date": "2026-11-22 10:00:00.5"},
 "values": [2.5e-06, 3e-06], "warmups": [[1, 2e-06]]}]}], "metadata": {"cpu_count": 8, "unit": "second"}, "version": "1.0"})",
      18, read);
}

TEST(MutatedDocuments, JournalsAreReadAsFarAsTheyAreWhole) {
  const JournalRun run{"boot-1", 42, 1234, "20261121T100000Z", "stepgate gate", 1700000000};
  const KnobChange change{"governor", ChangeKind::file, "/sys/g", "powersave", "performance", 40};
  const std::string text = journal_line(run) + journal_line(0, change) + applied_line(0, "performance");
  attack(text, 14, [](const std::string& damaged) { journal_from_text(damaged); });
}

}  // namespace
}  // namespace stepgate
