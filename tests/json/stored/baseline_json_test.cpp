#include "json/stored/baseline_json.h"

#include <fstream>
#include <limits>
#include <sstream>

#include "json/expect_error.h"
#include "json/sample_documents.h"
#include "test_paths.h"

namespace stepgate {
namespace {

std::string golden(const std::string& name) {
  std::ifstream file(std::string(STEPGATE_GOLDEN_DIR) + "/json/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_equal_provenance(const Provenance& a, const Provenance& b) {
  EXPECT_EQ(a.commit, b.commit);
  EXPECT_EQ(a.utc, b.utc);
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(a.compiler, b.compiler);
  EXPECT_EQ(a.stepgate_version, b.stepgate_version);
  EXPECT_EQ(a.sessions, b.sessions);
  EXPECT_EQ(a.replicates, b.replicates);
  EXPECT_EQ(a.previous, b.previous);
  EXPECT_EQ(a.local, b.local);
}

TEST(BaselineJson, CanonicalTextIsTheGoldenOne) {
  EXPECT_EQ(to_text(sample_runner_baseline()), golden("baseline_runner.json"));
  EXPECT_EQ(to_text(sample_portable_baseline()), golden("baseline_portable.json"));
}

TEST(BaselineJson, AScopeThatCameLaterLeavesTheVersionOfOtherFilesAsItWas) {
  Baseline on_gpu = sample_portable_baseline();
  EXPECT_THAT(to_text(on_gpu), ::testing::HasSubstr("\"minor\": 1\n"));
  on_gpu.scope = Scope::device;
  const std::string text = to_text(on_gpu);
  EXPECT_THAT(text, ::testing::HasSubstr("\"minor\": 2\n"));
  EXPECT_EQ(baseline_from_text(text, "b.json").scope, Scope::device);
  EXPECT_EQ(to_text(baseline_from_text(text, "b.json")), text);
}

/// A reader refuses unknown keys of its own minor and passes over those of a newer one.
TEST(BaselineJson, OperatorsThatVaryHaveAMinorOfTheirOwn) {
  Baseline baseline = sample_portable_baseline();
  baseline.numerics->nondeterministic_operators = {"aten::put_"};
  EXPECT_THAT(to_text(baseline), ::testing::HasSubstr("\"minor\": 7\n"));
  EXPECT_EQ(to_text(baseline_from_text(to_text(baseline), "b.json")), to_text(baseline));
}

TEST(BaselineJson, AKeyOfTheLossesHasAMinorOfItsOwn) {
  Baseline baseline = sample_portable_baseline();
  baseline.numerics->key = {{"isa", "avx2"}};
  const std::string portable = to_text(baseline);
  expect_error([&] { baseline_from_text(portable, "b.json"); }, ErrorKind::baseline,
               {"b.json", "numerics.key", "no key but for scope device"});
  baseline.scope = Scope::device;
  const std::string text = to_text(baseline);
  EXPECT_THAT(text, ::testing::HasSubstr("\"minor\": 8\n"));
  EXPECT_EQ(baseline_from_text(text, "b.json").numerics->key, baseline.numerics->key);
  EXPECT_EQ(to_text(baseline_from_text(text, "b.json")), text);
}

TEST(BaselineJson, WritingAgainGivesTheSameBytes) {
  for (const Baseline& baseline : {sample_runner_baseline(), sample_portable_baseline(), Baseline{}}) {
    const std::string text = to_text(baseline);
    EXPECT_EQ(to_text(baseline_from_text(text, "b.json")), text);
  }
}

/// Such a baseline leaves a step out of tolerance undecided where processes differ: on a CPU none may.
TEST(BaselineJson, OnlyABaselineOfAGpuWithoutDigestsIsRounded) {
  Baseline before = sample_portable_baseline();
  EXPECT_EQ(to_text(before).find("rounded"), std::string::npos);
  before.numerics->rounded = true;
  const auto read = [&] { return baseline_from_text(to_text(before), "b.json"); };
  before.numerics->loss_digest = before.numerics->parameter_digest = "";
  EXPECT_THAT(error_of(read)->what(), ::testing::HasSubstr("numerics.rounded"));
  before.scope = Scope::device;
  before.runner_class = "h100";
  EXPECT_TRUE(read().numerics->rounded);
  before.numerics->loss_digest = "aa";
  EXPECT_THAT(error_of(read)->what(), ::testing::HasSubstr("numerics.rounded"));
}

TEST(BaselineJson, KeepsOperatorsWithoutADeterministicImplementation) {
  Baseline before = sample_portable_baseline();
  EXPECT_EQ(to_text(before).find("nondeterministic_operators"), std::string::npos);
  before.numerics->nondeterministic_operators = {"put_"};
  EXPECT_EQ(baseline_from_text(to_text(before), "b.json").numerics->nondeterministic_operators,
            before.numerics->nondeterministic_operators);
}

TEST(BaselineJson, KeepsFunctionsAndLeavesFilesWithoutThemAsTheyWere) {
  Baseline before = sample_portable_baseline();
  EXPECT_EQ(to_text(before).find("functions"), std::string::npos);
  before.operator_functions = {{"forward", {{"aten::mm", {{"CharLm::loss", 4}}}}}};
  before.functions_from = "lines";
  const std::string text = to_text(before);
  EXPECT_THAT(text, ::testing::HasSubstr("\"minor\": 3\n"));
  const Baseline after = baseline_from_text(text, "b.json");
  EXPECT_EQ(after.operator_functions, before.operator_functions);
  EXPECT_EQ(after.functions_from, "lines");
  EXPECT_EQ(to_text(after), text);
  const auto error = error_of([&] { baseline_from_text(replaced(text, "\"lines\"", "\"guesses\""), "b.json"); });
  EXPECT_THAT(error->what(), ::testing::HasSubstr("\"lines\" or \"symbols\""));
}

TEST(BaselineJson, KeepsGrowthInWholeBytesAndLeavesFilesWithoutItAsTheyWere) {
  Baseline before = sample_portable_baseline();
  EXPECT_EQ(to_text(before).find("growth\""), std::string::npos);
  before.growth["host_heap_growth_bytes_per_step"] = {{.per_step = 312.4, .noise = 40.2, .steps = 11},
                                                      {.per_step = -3, .noise = 0, .steps = 11}};
  const std::string text = to_text(before);
  EXPECT_THAT(text, ::testing::HasSubstr("\"minor\": 4\n"));
  const Baseline after = baseline_from_text(text, "b.json");
  const std::vector<LevelGrowth>& read = after.growth.at("host_heap_growth_bytes_per_step");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].per_step, 312);
  EXPECT_EQ(read[0].noise, 41) << "rounded up: less noise than there is would be a false red";
  EXPECT_EQ(read[1].per_step, -3);
  EXPECT_EQ(read[1].steps, 11);
  EXPECT_EQ(to_text(after), text);
}

TEST(BaselineJson, KeepsCallsOfFunctionsInTheirOrder) {
  Baseline before = sample_portable_baseline();
  before.operator_functions = {{"forward", {{"aten::mm", {{"CharLm::loss", 4}}}}}};
  before.functions_from = "lines";
  before.function_calls = {{"", {{"main", 4, 4}}},
                           {"main", {{"clip", 4, 12}, {"CharLm::loss", 4, 4}, {"clip", 4, 12}}}};
  const std::string text = to_text(before);
  EXPECT_THAT(text, ::testing::HasSubstr("\"minor\": 6\n"));
  EXPECT_EQ(baseline_from_text(text, "b.json").function_calls, before.function_calls);
  EXPECT_EQ(to_text(baseline_from_text(text, "b.json")), text);
  const auto error = error_of([&] { baseline_from_text(replaced(text, "[4, 4, 4]", "[4, 4]"), "b.json"); });
  EXPECT_THAT(error->what(), ::testing::HasSubstr("one number for each"));
  expect_error([&] { baseline_from_text(replaced(text, "[12, 4, 12]", "[12, 3, 12]"), "b.json"); }, ErrorKind::baseline,
               {"b.json", "function_calls.main", "\"least\" of \"CharLm::loss\" is above"});
}

TEST(BaselineJson, KeepsSwitchesAndLeavesFilesWithoutThemAsTheyWere) {
  Baseline before = sample_portable_baseline();
  EXPECT_EQ(to_text(before).find("switches"), std::string::npos);
  before.switches = {{"mkldnn_enabled", "off"}};
  const std::string text = to_text(before);
  EXPECT_THAT(text, ::testing::HasSubstr("\"minor\": 5\n"));
  EXPECT_EQ(baseline_from_text(text, "b.json").switches, before.switches);
  EXPECT_EQ(to_text(baseline_from_text(text, "b.json")), text);
}

TEST(BaselineJson, KeepsTheCallsOfADevice) {
  Baseline before = sample_portable_baseline();
  EXPECT_EQ(to_text(before).find("device_calls"), std::string::npos);
  before.scope = Scope::device;
  before.runner_class = "h200";
  before.device_calls["device_syncs_per_step"]["forward"]["cudaFree"] = 3;
  EXPECT_EQ(baseline_from_text(to_text(before), "b.json").device_calls, before.device_calls);
}

TEST(BaselineJson, KeepsEveryFieldOfAPortableBaseline) {
  const Baseline before = sample_portable_baseline();
  const Baseline after = baseline_from_text(to_text(before), "b.json");
  EXPECT_EQ(after.case_name, before.case_name);
  EXPECT_EQ(after.scope, Scope::portable);
  EXPECT_EQ(after.runner_class, "portable");
  EXPECT_EQ(after.key, before.key);
  EXPECT_EQ(after.exact, before.exact);
  EXPECT_EQ(after.bytes, before.bytes);
  ASSERT_TRUE(after.numerics);
  EXPECT_EQ(after.numerics->loss, before.numerics->loss);
  EXPECT_EQ(after.numerics->grad_norm, before.numerics->grad_norm);
  EXPECT_EQ(after.numerics->loss_digest, before.numerics->loss_digest);
  EXPECT_EQ(after.numerics->parameter_digest, before.numerics->parameter_digest);
  EXPECT_EQ(after.counts_by_boundary, before.counts_by_boundary);
  EXPECT_EQ(after.operators, before.operators);
  EXPECT_EQ(after.peak_by_boundary, before.peak_by_boundary);
  EXPECT_EQ(after.ledger, before.ledger);
  EXPECT_TRUE(after.sessions.empty());
  EXPECT_FALSE(after.anchor);
  expect_equal_provenance(after.provenance, before.provenance);
}

TEST(BaselineJson, KeepsEveryFieldOfARunnerBaseline) {
  const Baseline before = sample_runner_baseline();
  const Baseline after = baseline_from_text(to_text(before), "b.json");
  EXPECT_EQ(after.scope, Scope::runner);
  EXPECT_EQ(after.runner_class, "h200-16c");
  EXPECT_FALSE(after.numerics);
  ASSERT_EQ(after.sessions.size(), 2u);
  EXPECT_EQ(after.sessions[1].utc, "2026-11-21T10:00:00Z");
  EXPECT_EQ(after.sessions[1].unix_s, 1795255200);
  EXPECT_EQ(after.sessions[1].commit, "9f2c1d0");
  ASSERT_TRUE(after.anchor);
  EXPECT_EQ(after.anchor->utc, "2026-06-01T00:00:00Z");
  EXPECT_EQ(after.anchor->commit, "1111111");
  expect_equal_provenance(after.provenance, before.provenance);
}

TEST(BaselineJson, RoundsTimedValuesAndNothingElse) {
  const Baseline after = baseline_from_text(to_text(sample_runner_baseline()), "b.json");
  EXPECT_EQ(after.sessions[0].timed.at("step_time_ns"), (std::vector<double>{14512000, 14498000, 9876.5}));
  EXPECT_EQ(after.sessions[0].timed.at("stall_ratio"), (std::vector<double>{0.031235, 0, 0.25}));
  EXPECT_EQ(after.anchor->values.at("step_time_ns"), 14000000);
  EXPECT_EQ(after.anchor->values.at("peak_allocated_bytes"), 73400321);
  EXPECT_EQ(after.bytes.at("peak_allocated_bytes"), (std::vector<std::int64_t>{73400320, 73401344}));
}

TEST(BaselineJson, StartsWithItsSchemaAndEndsWithProvenanceAndOneLineEnd) {
  const std::string text = to_text(sample_runner_baseline());
  EXPECT_THAT(text, ::testing::StartsWith("{\n  \"schema\": {\n    \"name\": \"stepgate.baseline\",\n"));
  EXPECT_GT(text.find("\"provenance\""), text.find("\"anchor\""));
  EXPECT_TRUE(text.ends_with("  }\n}\n"));
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

// The last offset that cuts anything but the final line end is the one before the closing brace.
TEST(BaselineJson, RefusesEveryTruncatedText) {
  const std::string text = to_text(sample_portable_baseline());
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    const auto error = error_of([&] { baseline_from_text(std::string_view(text).substr(0, length), "b.json"); });
    ASSERT_TRUE(error) << "cut after " << length << " bytes";
    ASSERT_EQ(error->kind(), ErrorKind::baseline);
    ASSERT_THAT(error->what(), ::testing::StartsWith("b.json:"));
  }
}

TEST(BaselineJson, DetectsEveryMissingLineExceptThoseOfOptionalsAndOpenMaps) {
  const std::string text = to_text(sample_portable_baseline());
  for (const char* line : {"  \"case\": \"language/char_lm/tiny\",\n", "  \"scope\": \"portable\",\n",
                           "  \"runner_class\": \"portable\",\n", "  \"sessions\": [],\n",
                           "    \"previous\": "
                           "\"step_time_ns 15.1 ms\",\n",
                           "    \"major\": 1,\n"}) {
    SCOPED_TRACE(line);
    expect_error([&] { baseline_from_text(replaced(text, line, ""), "b.json"); }, ErrorKind::baseline, {"is missing"});
  }
}

struct BadBaseline {
  const char* from;
  const char* to;
  const char* message;
};

TEST(BaselineJson, KeepsFurtherLossesAndTimesThatALoopNames) {
  Baseline before = sample_portable_baseline();
  before.numerics->further_losses["discriminator"] = {0.5, 0.25};
  before.sessions = {{"", 1, "", {{"boundary_ns[discriminator]", {1e6}}}}};
  const Baseline after = baseline_from_text(to_text(before), "b.json");
  EXPECT_EQ(after.numerics->further_losses, before.numerics->further_losses);
  EXPECT_EQ(after.sessions[0].timed, before.sessions[0].timed);
}

TEST(BaselineJson, NamesFileAndKeyOfWhatIsWrong) {
  const std::vector<BadBaseline> table = {
      {"[412, 412, 412, 413]", "[412, 412, 412, \"12\"]",
       ": exact.operators_per_step[3]: expected an integer, found \"12\""},
      {"[412, 412, 412, 413]", "[412, 412, 412.5, 413]",
       ": exact.operators_per_step[2]: expected an integer, found 412.5"},
      {"[412, 412, 412, 413]", "412", ": exact.operators_per_step: expected an array, found 412"},
      {"[2097152]", "[9223372036854775808]", ": bytes.peak_allocated_bytes[0]: expected an integer from -2^53 to 2^53"},
      {"[2097152]", "[-1]", ": bytes: \"peak_allocated_bytes\" is below 0"},
      {"\"operators_per_step\": [", "\"operator_per_step\": [",
       ": exact: unknown metric \"operator_per_step\"; did you mean \"operators_per_step\"?"},
      {"\"allocations_per_step\": [", "\"step_time_ns\": [",
       ": exact: \"step_time_ns\" is of tier timed, and only tier exact belongs here"},
      {"\"runner_class\":", "\"runner_clas\":",
       ": the key \"runner_class\" is missing (is \"runner_clas\" meant to be it?)"},
      {"\"sessions\": [],", "\"sessions\": [], \"anchr\": {},", ": anchr: unknown key; did you mean \"anchor\"?"},
      {"\"reason\":", "\"reasons\": \"\", \"reason\":", ": provenance.reasons: unknown key; did you mean \"reason\"?"},
      {"\"loss_digest\":", "\"los\": 1, \"loss_digest\":", ": numerics.los: unknown key; did you mean \"loss\"?"},
      {"4.174387269", "\"nan\"", ": numerics.loss[0]: expected a number, found \"nan\""},
      {"4.174387269", "null", ": numerics.loss[0]: expected a number, found null"},
      {"4.174387269", "1e999", ":23:18: not valid JSON: number overflow"},
      {"4.174387269", "NaN", ":23:14: not valid JSON: invalid literal"},
      {"\"scope\": \"portable\"", "\"scope\": \"global\"",
       ": scope: expected one of portable, runner, device, found \"global\""},
      {"\"isa\": \"avx2\"", "\"isa\": \"avx2\", \"isa\": \"avx512\"", ": key.isa: duplicate key"},
      {"\"major\": 1", "\"major\": 2",
       ": schema.major: this stepgate reads major version 1 of stepgate.baseline, found 2"},
      {"\"stepgate.baseline\"", "\"stepgate.policy\"",
       ": schema.name: expected \"stepgate.baseline\" (a baseline), found \"stepgate.policy\""},
      {"\"schema\"", "\"shema\"", ": the key \"schema\" is missing, so this is not a baseline"},
      {"\"aten::addmm\": 16", "\"aten::addmm\": {}",
       ": where.operators.forward.aten::addmm: expected an integer, found an object"},
  };
  for (const BadBaseline& bad : table) {
    SCOPED_TRACE(bad.to);
    const std::string text = replaced(to_text(sample_portable_baseline()), bad.from, bad.to);
    expect_error([&] { baseline_from_text(text, "baselines/portable/tiny.json"); }, ErrorKind::baseline,
                 {std::string("baselines/portable/tiny.json") + bad.message});
  }
}

TEST(BaselineJson, NamesGitConflictsAndSaysToRemeasure) {
  const std::string ours = "    \"operators_per_step\": [412, 412, 412, 413]\n";
  const std::string text = replaced(to_text(sample_portable_baseline()), "    \"allocations_per_step\"",
                                    "<<<<<<< HEAD\n" + ours + "=======\n" + ours + ">>>>>>> other\n    \"x\"");
  const auto error = error_of([&] { baseline_from_text(text, "b.json"); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), ::testing::HasSubstr("b.json:16: unresolved git conflict (\"<<<<<<<\")"));
  EXPECT_THAT(error->remedy(), ::testing::StartsWith("remeasure: "));
}

TEST(BaselineJson, NamesRemainingConflictMarkers) {
  for (const char* marker : {"=======", ">>>>>>> other", "||||||| base"}) {
    const std::string text =
        replaced(to_text(sample_portable_baseline()), "  \"bytes\"", std::string(marker) + "\n  \"bytes\"");
    expect_error([&] { baseline_from_text(text, "b.json"); }, ErrorKind::baseline, {"unresolved git conflict"});
  }
}

TEST(BaselineJson, RefusesToWriteNonFiniteNumbers) {
  Baseline timed = sample_runner_baseline();
  timed.sessions[1].timed.at("step_time_ns")[2] = std::numeric_limits<double>::quiet_NaN();
  expect_error([&] { to_text(timed); }, ErrorKind::baseline,
               {"baseline of language/char_lm/tiny", "sessions[1].timed.step_time_ns[2]", "nan"});
  Baseline numeric = sample_portable_baseline();
  numeric.numerics->loss[1] = std::numeric_limits<double>::infinity();
  expect_error([&] { to_text(numeric); }, ErrorKind::baseline, {"numerics.loss[1]", "inf"});
  Baseline anchored = sample_runner_baseline();
  anchored.anchor->values.at("step_time_ns") = -std::numeric_limits<double>::infinity();
  expect_error([&] { to_text(anchored); }, ErrorKind::baseline, {"anchor.values.step_time_ns", "-inf"});
}

}  // namespace
}  // namespace stepgate
