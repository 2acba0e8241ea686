#include "json/stored/shard_plan_json.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "json/records/measurement_json.h"
#include "json/stored/ab_plan_json.h"
#include "json/text/canonical_text.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

constexpr std::string_view plan_again = "plan it again: stepgate plan ab CASE --base-build DIR --shards N";
constexpr DocumentType shard_plan_document{"stepgate.shard_plan", "a plan for nodes", 1, 2,
                                           ErrorKind::measure,    plan_again};
constexpr DocumentType shard_work_document{
    "stepgate.shard_work", "the share of a node", 1, 0, ErrorKind::measure, plan_again};
constexpr DocumentType node_result_document{"stepgate.node_result",
                                            "a result of a node",
                                            1,
                                            1,
                                            ErrorKind::measure,
                                            "remove the file: its pair is measured again",
                                            128 * mebibyte};

constexpr std::array<std::string_view, 2> layout_names = {"by_round", "by_case"};
constexpr std::array<std::string_view, 4> result_kind_names = {"pair", "control", "exact", "round"};

template <typename Kind, std::size_t count>
auto kind_in(const std::array<std::string_view, count>& names) {
  return [&names](std::string_view name) -> std::optional<Kind> {
    for (std::size_t i = 0; i < count; ++i) {
      if (names[i] == name) return static_cast<Kind>(i);
    }
    return std::nullopt;
  };
}

PlannedCase planned_case_at(Reader reader) {
  return {.plan = ab_plan_from_text(reader.at("plan").json_text(),
                                    fmt::format("{}: {}.plan", reader.origin().source, reader.path())),
          .tries = reader.at("tries").count(),
          .may_lengthen = reader.at("may_lengthen").boolean(),
          .policy_digest = reader.at("policy_digest").text()};
}

SweptParameter swept_parameter_at(Reader reader) {
  return {.name = reader.at("name").text(), .values = reader.at("values").texts()};
}

SweepPlan sweep_plan_at(Reader reader) {
  return {.metric = reader.at("metric").text(), .parameters = reader.at("parameters").list_of(swept_parameter_at)};
}

/// Shares, and orders of the rounds, are drawn from the plan, so a damaged number would be memory. --pairs asks for 16
/// at most, and no sweep has so many processes of a setting.
constexpr std::int64_t most_rounds = 100'000;
constexpr std::int64_t most_shards = 1000;  ///< as --shards and --nodes

void refuse_huge_numbers(Reader& reader, const ShardPlan& plan) {
  if (plan.shards < 1 || plan.shards > most_shards) {
    reader.at("shards").expected(fmt::format("a number of nodes from 1 to {}", most_shards));
  }
  for (const PlannedCase& planned : plan.cases) {
    if (planned.tries <= most_rounds) continue;
    reader.at("cases").expected(fmt::format("at most {} tries of {}", most_rounds, planned.plan.case_name));
  }
}

void refuse_no_sweep(Reader& reader, const ShardPlan& plan) {
  const Reader cases = reader.at("cases");
  if (plan.cases.size() != 1) cases.expected("one case, which is swept");
  const PlannedCase& swept = plan.cases.front();
  if (swept.tries != swept.plan.plan.timed_replicates) cases.expected("as many tries as processes of a setting");
}

Json value_of(const SweepPlan& sweep) {
  Json parameters = Json::array();
  for (const SweptParameter& parameter : sweep.parameters) {
    parameters.push_back({{"name", parameter.name}, {"values", parameter.values}});
  }
  return {{"metric", sweep.metric}, {"parameters", std::move(parameters)}};
}

CaseShare case_share_at(Reader reader) {
  return {.case_name = case_name_at(reader.at("case_name")),
          .pairs = reader.at("pairs").counts(),
          .exact = reader.at("exact").boolean()};
}

}  // namespace

std::string to_text(const ShardPlan& plan) {
  Json document = document_of(shard_plan_document);
  document["version"] = plan.version;
  document["launcher_digest"] = plan.launcher_digest;
  document["base_build"] = plan.base_build;
  document["head_build"] = plan.head_build;
  document["head_manifest"] = plan.head_manifest;
  if (!plan.manifest_digest.empty()) document["manifest_digest"] = plan.manifest_digest;
  document["baseline_root"] = plan.baseline_root;
  document["data_dir"] = plan.data_dir;
  document["tier"] = name_of(plan.tier);
  document["runner_class"] = plan.runner_class;
  document["guard"] = plan.guard;
  document["passed"] = plan.passed;
  document["shards"] = plan.shards;
  document["layout"] = layout_names[static_cast<std::size_t>(plan.layout)];
  document["require_gpu"] = plan.require_gpu;
  document["mixed_nodes"] = plan.mixed_nodes;
  if (plan.sweep) document["sweep"] = value_of(*plan.sweep);
  Json& cases = document["cases"] = Json::array();
  for (const PlannedCase& planned : plan.cases) {
    cases.push_back({{"plan", Json::parse(to_text(planned.plan))},
                     {"tries", planned.tries},
                     {"may_lengthen", planned.may_lengthen},
                     {"policy_digest", planned.policy_digest}});
  }
  return canonical_text(document, {"plan.json", shard_plan_document});
}

std::string to_text(const ShardWork& work) {
  Json document = document_of(shard_work_document);
  document["shard"] = work.shard;
  document["attempt"] = work.attempt;
  document["control_case"] = work.control_case;
  Json& shares = document["shares"] = Json::array();
  for (const CaseShare& share : work.shares) {
    shares.push_back({{"case_name", share.case_name}, {"pairs", share.pairs}, {"exact", share.exact}});
  }
  return canonical_text(document, {"share of a node", shard_work_document});
}

std::string to_text(const NodeResult& result) {
  Json document = document_of(node_result_document);
  document["kind"] = result_kind_names[static_cast<std::size_t>(result.kind)];
  document["plan_digest"] = result.plan_digest;
  document["shard"] = result.shard;
  document["attempt"] = result.attempt;
  document["place"] = result.place;
  document["case_name"] = result.case_name;
  document["index"] = result.index;
  document["head_first"] = result.head_first;
  document["interleaved"] = result.interleaved;
  if (result.kind == NodeResultKind::round) {
    Json& settings = document["settings"] = Json::array();
    for (const Measurement& setting : result.settings) settings.push_back(Json::parse(to_text(setting)));
  } else {
    document["base"] = Json::parse(to_text(result.base));
    document["head"] = Json::parse(to_text(result.head));
  }
  return canonical_text(document, {"result of a node", node_result_document});
}

ShardPlan shard_plan_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, shard_plan_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  const auto passed = reader.at("passed").texts();
  ShardPlan plan{.version = reader.at("version").text(),
                 .launcher_digest = reader.at("launcher_digest").text(),
                 .base_build = reader.at("base_build").text(),
                 .head_build = reader.at("head_build").text(),
                 .head_manifest = reader.at("head_manifest").text(),
                 .manifest_digest = {},
                 .baseline_root = reader.at("baseline_root").text(),
                 .data_dir = reader.at("data_dir").text(),
                 .tier = reader.at("tier").one_of(tier_choice_named, "exact, timed, all"),
                 .runner_class = reader.at("runner_class").text(),
                 .guard = reader.at("guard").text(),
                 .passed = {passed.begin(), passed.end()},
                 .shards = reader.at("shards").count(),
                 .layout = reader.at("layout").one_of(kind_in<NodeLayout>(layout_names), "by_round, by_case")};
  if (const auto manifest = reader.find("manifest_digest")) plan.manifest_digest = manifest->text();
  if (const auto required = reader.find("require_gpu")) plan.require_gpu = required->boolean();
  if (const auto mixed = reader.find("mixed_nodes")) plan.mixed_nodes = mixed->boolean();
  if (const auto sweep = reader.find("sweep")) plan.sweep = sweep_plan_at(*sweep);
  plan.cases = reader.at("cases").list_of(planned_case_at);
  refuse_huge_numbers(reader, plan);
  if (plan.sweep) refuse_no_sweep(reader, plan);
  return plan;
}

ShardWork shard_work_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, shard_work_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  return {.shard = reader.at("shard").count(),
          .attempt = reader.at("attempt").count(),
          .control_case = case_name_or_none_at(reader.at("control_case")),
          .shares = reader.at("shares").list_of(case_share_at)};
}

NodeResult node_result_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, node_result_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  NodeResult result{
      .kind = reader.at("kind").one_of(kind_in<NodeResultKind>(result_kind_names), "pair, control, exact, round"),
      .plan_digest = reader.at("plan_digest").text(),
      .shard = reader.at("shard").count(),
      .attempt = reader.at("attempt").count(),
      .place = reader.at("place").text(),
      .case_name = case_name_at(reader.at("case_name")),
      .index = reader.at("index").count(),
      .head_first = reader.at("head_first").boolean(),
      .interleaved = reader.at("interleaved").boolean(),
      .base = {},
      .head = {}};
  if (result.kind == NodeResultKind::round) {
    result.settings = reader.at("settings").list_of([&](const Reader& one) {
      return measurement_from_text(one.json_text(), fmt::format("{}: {}", source, one.path()));
    });
    return result;
  }
  const Reader base = reader.at("base");
  const Reader head = reader.at("head");
  result.base = measurement_from_text(base.json_text(), source + ": base");
  result.head = measurement_from_text(head.json_text(), source + ": head");
  return result;
}

}  // namespace stepgate
