// Every document that stepgate writes follows its published schema, and every schema rejects what the reader rejects.
// The only user of valijson, which compiles slowly.
#include <cmath>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "json/expect_error.h"
#include "json/records/measurement_json.h"
#include "json/records/run_record_json.h"
#include "json/records/telemetry_line.h"
#include "json/results/run_report_json.h"
#include "json/results/step_difference_json.h"
#include "json/sample_documents.h"
#include "json/schema_version.h"
#include "json/stored/ab_plan_json.h"
#include "json/stored/baseline_json.h"
#include "json/stored/calibration_json.h"
#include "json/stored/policy_json.h"
#include "json/stored/shard_plan_json.h"
#include "json/studies/ablation_json.h"
#include "json/studies/case_modes_json.h"
#include "json/studies/device_check_json.h"
#include "json/studies/device_report_json.h"
#include "json/studies/doctor_json.h"
#include "json/studies/profile_json.h"
#include "json/studies/sweep_json.h"
#include "json/studies/trace_account_json.h"
#include "support/sample_ablation.h"
#include "support/sample_calibration.h"
#include "support/sample_device.h"
#include "support/sample_difference.h"
#include "support/sample_doctor.h"
#include "support/sample_limits.h"
#include "support/sample_profile.h"
#include "support/sample_shard_plan.h"
#include "support/sample_sweep.h"
#include "support/sample_trace_account.h"
#include "system/files/file.h"
#include "test_paths.h"

namespace stepgate {
namespace {

nlohmann::json schema_named(const std::string& file) {
  return nlohmann::json::parse(read_text_file(std::string(STEPGATE_SCHEMAS_DIR) + "/" + file));
}

/// "" for a document that follows schemas/<name>.schema.json, else every error.
std::string complaints(const std::string& name, const std::string& text) {
  const nlohmann::json schema_json = schema_named(name + ".schema.json");
  const nlohmann::json document = nlohmann::json::parse(text);
  valijson::Schema schema;
  const auto fetch = [](const std::string& file) -> const nlohmann::json* {
    return new nlohmann::json(schema_named(file));
  };
  const auto release = [](const nlohmann::json* fetched) { delete fetched; };
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json), schema, fetch, release);
  valijson::ValidationResults results;
  if (valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) return "";
  std::string all;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const std::string& step : error.context) all += step;
    all += ": " + error.description + "\n";
  }
  return all;
}

TEST(Schemas, EverySchemaStatesTheLimitsOfItsFile) {
  const std::vector<DocumentType> types = {run_record_document, measurement_document, verdict_document,
                                           baseline_document,   policy_document,      manifest_document};
  for (const DocumentType& type : types) {
    const std::string name(type.name.substr(type.name.find('.') + 1));
    EXPECT_THAT(schema_named(name + ".schema.json").at("description").get<std::string>(),
                ::testing::EndsWith(" At most " + std::to_string(type.most_bytes / mebibyte) + " MiB and " +
                                    std::to_string(most_nested_levels) + " levels of nesting."));
  }
  for (const char* name :
       {"sweep", "ablation", "doctor", "device_check", "device_report", "difference", "trace_account", "profile",
        "ab_plan", "shard_plan", "shard_work", "case_modes", "calibration"}) {
    EXPECT_THAT(schema_named(std::string(name) + ".schema.json").at("description").get<std::string>(),
                ::testing::HasSubstr(" At most 16 MiB "))
        << name;
  }
}

TEST(Schemas, EveryWrittenDocumentFollowsItsSchema) {
  EXPECT_EQ(complaints("run_record", to_text(sample_timed_record())), "");
  EXPECT_EQ(complaints("run_record", to_text(sample_exact_record())), "");
  EXPECT_EQ(complaints("run_record", to_text(sample_gan_record())), "");
  EXPECT_EQ(complaints("run_record", to_text(sample_inference_record())), "");
  EXPECT_EQ(complaints("run_record", to_text(sample_profile_record())), "");
  EXPECT_EQ(complaints("run_record", to_text(RunRecord{})), "");
  EXPECT_EQ(complaints("measurement", to_text(sample_measurement())), "");
  EXPECT_EQ(complaints("measurement", to_text(Measurement{})), "");
  Measurement of_program;
  of_program.program_digest = "cbf29ce484222325";
  EXPECT_EQ(complaints("measurement", to_text(of_program)), "");
  EXPECT_EQ(complaints("baseline", to_text(sample_runner_baseline())), "");
  EXPECT_EQ(complaints("baseline", to_text(sample_portable_baseline())), "");
  Baseline on_gpu = sample_portable_baseline();
  on_gpu.scope = Scope::device;
  EXPECT_EQ(complaints("baseline", to_text(on_gpu)), "");
  Baseline of_gan = sample_portable_baseline();
  of_gan.numerics->further_losses["discriminator"] = {0.5, 0.25};
  EXPECT_EQ(complaints("baseline", to_text(of_gan)), "");
  EXPECT_EQ(complaints("policy", to_text(sample_policy())), "");
  EXPECT_EQ(complaints("policy", to_text(Policy{})), "");
  EXPECT_EQ(complaints("verdict", to_text(sample_run_report())), "");
  EXPECT_EQ(complaints("verdict", to_text(RunReport{})), "");
  RunReport with_lines = sample_run_report();
  with_lines.outcomes[0].losses = JudgedLosses{.last_step = 89, .seen = 102, .steps = 104, .compared = 21};
  with_lines.outcomes[0].findings[0].sources = {{"CharLm::forward", "perf/char_lm.cpp", 61}, {"CharLm::loss"}};
  EXPECT_EQ(complaints("verdict", to_text(with_lines)), "");
  RunReport with_limits = sample_run_report();
  with_limits.limits = sample_limit_review();
  EXPECT_EQ(complaints("verdict", to_text(with_limits)), "");
  Baseline with_functions = sample_portable_baseline();
  with_functions.operator_functions = {{"forward", {{"aten::mm", {{"CharLm::loss", 4}}}}}};
  with_functions.functions_from = "lines";
  with_functions.function_calls = {{"", {{"main", 4, 8}}}, {"main", {{"CharLm::loss", 4, 8}}}};
  with_functions.switches = {{"mkldnn_enabled", "on"}};
  EXPECT_EQ(complaints("baseline", to_text(with_functions)), "");
  RunReport with_background = sample_run_report();
  with_background.outcomes[0].baseline_commit = "9f2c1";
  with_background.outcomes[0].baseline_age_s = 60;
  with_background.outcomes[0].inputs = {{"program", "cbf29ce484222325"}};
  with_background.outcomes[0].pending_digests = {"cbf29ce484222325"};
  with_background.suite = "17";
  with_background.outcomes[0].backgrounds = {{"step_time_ns", Scope::runner, {1, 2}, {3}, "baselines/a/b.json", 7}};
  EXPECT_EQ(complaints("verdict", to_text(with_background)), "");
  EXPECT_EQ(complaints("manifest", sample_manifest_text()), "");
  EXPECT_EQ(complaints("manifest", replaced(sample_manifest_text(), "\"timeout_s\": 900", "\"tiers\": \"exact\"")), "");
  EXPECT_EQ(complaints("sweep", to_text(sample_sweep())), "");
  EXPECT_EQ(complaints("sweep", to_text(Sweep{})), "");
  EXPECT_EQ(complaints("difference", to_text(sample_difference())), "");
  EXPECT_EQ(complaints("difference", to_text(StepDifference{})), "");
  EXPECT_EQ(complaints("doctor", to_text(sample_laptop())), "");
  EXPECT_EQ(complaints("doctor", to_text(DoctorReport{})), "");
  EXPECT_EQ(complaints("device_check", to_text(sample_device_runs().at("device").figures)), "");
  EXPECT_EQ(complaints("device_report", to_text(sample_device_report())), "");
  EXPECT_EQ(complaints("device_report", to_text(DeviceReport{})), "");
  EXPECT_EQ(complaints("case_modes", to_text(CaseModes{"emulated:h100", {{"a/b/c", NeededMode::values, "why"}}})), "");
  EXPECT_EQ(complaints("ablation", to_text(sample_ablation())), "");
  EXPECT_EQ(complaints("trace_account", to_text(sample_trace_account())), "");
  EXPECT_EQ(complaints("telemetry", telemetry_line({7, 0.5, {{"loss", 0.25}, {"norm", std::nan("")}}})), "");
  EXPECT_EQ(complaints("ablation", to_text(Ablation{})), "");
  EXPECT_EQ(complaints("profile", to_text(sample_profile())), "");
  EXPECT_EQ(complaints("profile", to_text(sample_stopped_profile())), "");
  Profile low = sample_profile();
  low.params = {{"model", "naive"}};
  low.boundary_memory = {{"forward", {.peak_allocated_bytes = 8, .allocated_bytes = 7, .reserved_bytes = 9}}};
  low.low_roofs = {"the measured float32 peak is too low: aten::mm in forward reaches 118.0 % of it"};
  EXPECT_EQ(complaints("profile", to_text(low)), "");
}

TEST(Schemas, FilesOfNodesFollowTheirSchemas) {
  EXPECT_EQ(complaints("calibration", to_text(sample_calibration())), "");
  EXPECT_EQ(complaints("ab_plan", to_text(sample_shard_plan().cases.front().plan)), "");
  EXPECT_EQ(complaints("shard_plan", to_text(sample_shard_plan())), "");
  EXPECT_EQ(complaints("shard_plan", to_text(sample_sweep_plan())), "");
  EXPECT_EQ(complaints("shard_work", to_text(sample_shard_work())), "");
  EXPECT_EQ(complaints("node_result", to_text(sample_node_result(sample_measurement(), Measurement{}))), "");
  EXPECT_EQ(complaints("node_result", to_text(sample_round_result())), "");
}

TEST(Schemas, AllowTheSchemaLineThatEditorsLookFor) {
  const std::string text = replaced(to_text(Policy{}), "{", "{\"$schema\": \"../../schemas/policy.schema.json\",");
  EXPECT_EQ(complaints("policy", text), "");
  EXPECT_EQ(policy_from_text(text, "policy.json").alpha, 0.05);
}

struct Rejected {
  const char* schema;
  std::string text;
};

TEST(Schemas, RejectWhatTheReadersReject) {
  const std::vector<Rejected> table = {
      {"policy", replaced(to_text(Policy{}), "\"alpha\": 0.05", "\"alpha\": 0.5")},
      {"policy", replaced(to_text(Policy{}), "\"alpha\"", "\"alpa\"")},
      {"policy", replaced(to_text(Policy{}), "\"ignore\": 0.01", "\"ignore\": 0")},
      {"policy", replaced(to_text(Policy{}), "\"exact_tolerance\": {", "\"exact_tolerance\": {\"stream_hazards\": 0")},
      {"policy", replaced(to_text(sample_policy()), "\"2028-02-29\"", "\"soon\"")},
      {"policy", replaced(to_text(sample_policy()), "\"needs_consent\"", "\"consent\"")},
      {"policy", replaced(to_text(sample_policy()), "\"owner\": \"jane\",", "")},
      {"baseline", replaced(to_text(sample_portable_baseline()), "\"local\"", "\"locl\"")},
      {"baseline", replaced(to_text(sample_portable_baseline()), "4.174387269", "\"nan\"")},
      {"baseline", replaced(to_text(sample_portable_baseline()), "[412,", "[412.5,")},
      {"baseline", replaced(to_text(sample_portable_baseline()), "\"major\": 1", "\"major\": 2")},
      {"baseline", replaced(to_text(sample_portable_baseline()), "stepgate.baseline", "stepgate.policy")},
      {"run_record", replaced(to_text(sample_timed_record()), "\"group\": \"timed\"", "\"group\": \"slow\"")},
      {"run_record", replaced(to_text(sample_exact_record()), "\"nan\"", "\"NaN\"")},
      {"run_record", replaced(to_text(sample_timed_record()), "\"seed\"", "\"sed\"")},
      {"measurement", replaced(to_text(sample_measurement()), "\"kind\": \"timed_out\"", "\"kind\": \"late\"")},
      {"measurement", replaced(to_text(sample_measurement()), "\"clock\"", "\"clok\"")},
      {"verdict", replaced(to_text(sample_run_report()), "\"exit_status\": 1", "\"exit_status\": 9")},
      {"verdict", replaced(to_text(sample_run_report()), "\"severity\": \"cause\"", "\"severity\": \"bad\"")},
      {"sweep", replaced(to_text(sample_sweep()), "\"best\"", "\"bets\"")},
      {"difference", replaced(to_text(sample_difference()), "\"more\"", "\"most\"")},
      {"sweep", replaced(to_text(sample_sweep()), "\"does-not-help\"", "\"no\"")},
      {"doctor", replaced(to_text(sample_laptop()), "\"laptop\"", "\"lapdog\"")},
      {"doctor", replaced(to_text(sample_laptop()), "\"denied\"", "\"denid\"")},
      {"doctor", replaced(to_text(sample_laptop()), "\"siblings\"", "\"sibs\"")},
      {"device_check", replaced(to_text(sample_device_runs().at("device").figures), "\"texts\"", "\"words\"")},
      {"device_report", replaced(to_text(sample_device_report()), "\"bad\"", "\"worse\"")},
      {"case_modes", replaced(to_text(CaseModes{"emulated:h100", {{"a/b/c", NeededMode::values, "why"}}}), "\"values\"",
                              "\"numbers\"")},
      {"device_report", replaced(to_text(sample_device_report()), "\"crashed\"", "\"gone\"")},
      {"ablation", replaced(to_text(sample_ablation()), "\"indifferent\"", "\"bored\"")},
      {"ablation", replaced(to_text(sample_ablation()), "\"achieved\"", "\"done\"")},
      {"ablation", replaced(to_text(sample_ablation()), "\"with_first\"", "\"first\"")},
      {"trace_account", replaced(to_text(sample_trace_account()), "\"likely\"", "\"proven\"")},
      {"profile", replaced(to_text(sample_profile()), "\"refuted\"", "\"false\"")},
      {"profile", replaced(to_text(sample_profile()), "\"calls\": 96", "\"calls\": -96")},
      {"profile", replaced(to_text(sample_profile()), "0.306", "0.306, 0.4")},
      {"run_record", replaced(to_text(sample_profile_record()), "\"char_lm.cpp:95\": 4", "\"char_lm.cpp:95\": -4")},
      {"run_record", replaced(to_text(sample_profile_record()), "\"unchanged\"", "7")},
      {"run_record", replaced(to_text(sample_profile_record()), "4321", "-1")},
      {"profile", replaced(to_text(sample_profile()), "\"doubled-threads\"", "\"more-threads\"")},
      {"ab_plan", replaced(to_text(AbPlan{}), "\"in_turns\": false", "\"in_turns\": 0")},
      {"calibration", replaced(to_text(sample_calibration()), "[2, 2]", "[2, 10001]")},
      {"calibration", replaced(to_text(sample_calibration()), "aten::mm(float32[8, 64], float32[64, 4])", "aten::mm")},
      {"shard_plan", replaced(to_text(sample_shard_plan()), "\"by_case\"", "\"by_turn\"")},
      {"shard_plan", replaced(to_text(sample_shard_plan()), "\"in_turns\": false", "\"in_turns\": 0")},
      {"shard_work", replaced(to_text(sample_shard_work()), "\"shard\": 2", "\"shard\": 0")},
      {"node_result", replaced(to_text(sample_node_result({}, {})), "\"control\"", "\"twin\"")},
      {"manifest", replaced(sample_manifest_text(), "\"cuda\"", "\"gpu\"")},
      {"manifest", replaced(sample_manifest_text(), "\"timeout_s\": 900", "\"tiers\": \"timed\"")},
      {"manifest", replaced(sample_manifest_text(), "\"suite\"", "\"sweet\"")},
  };
  for (const Rejected& rejected : table) EXPECT_NE(complaints(rejected.schema, rejected.text), "") << rejected.text;
}

}  // namespace
}  // namespace stepgate
