#include "json/stored/baseline_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/excerpt.h"
#include "json/records/passes/memory_value.h"
#include "json/records/passes/numeric_trace_value.h"
#include "json/records/scope_value.h"
#include "json/text/canonical_text.h"
#include "json/text/metric_keys.h"
#include "json/text/significant_digits.h"

namespace stepgate {
namespace {

/// Whole numbers without ".0", up to 2^53: a double holds every integer up to there.
Json plainest(double value) {
  constexpr double largest_counted = 9007199254740992.0;
  if (std::abs(value) < largest_counted && std::trunc(value) == value) return static_cast<std::int64_t>(value);
  return value;
}

Json timed_value(double value) { return plainest(rounded_for_baseline(value)); }

Json value_of(const Session& session) {
  Json timed = Json::object();
  for (const auto& [metric, values] : session.timed) {
    Json& replicates = timed[metric] = Json::array();
    for (double value : values) replicates.push_back(timed_value(value));
  }
  return {{"utc", session.utc}, {"unix_s", session.unix_s}, {"commit", session.commit}, {"timed", std::move(timed)}};
}

Session session_at(Reader reader) {
  Session session{.utc = reader.at("utc").text(),
                  .unix_s = reader.at("unix_s").integer(),
                  .commit = reader.at("commit").text(),
                  .timed = metrics_at(reader.at("timed"), Tier::timed, &Reader::numbers)};
  reader.reject_other_keys();
  return session;
}

Json value_of(const Anchor& anchor) {
  Json values = Json::object();
  for (const auto& [name, value] : anchor.values) {
    const Metric* metric = find_metric(name);
    const bool timed = metric != nullptr && metric->tier == Tier::timed;
    values[name] = timed ? timed_value(value) : plainest(value);
  }
  return {{"utc", anchor.utc}, {"commit", anchor.commit}, {"values", std::move(values)}};
}

Anchor anchor_at(Reader reader) {
  Anchor anchor{.utc = reader.at("utc").text(),
                .commit = reader.at("commit").text(),
                .values = metrics_at(reader.at("values"), std::nullopt, &Reader::number)};
  reader.reject_other_keys();
  return anchor;
}

Json value_of(const Provenance& provenance) {
  Json value = {{"commit", provenance.commit},
                {"utc", provenance.utc},
                {"reason", provenance.reason},
                {"compiler", provenance.compiler},
                {"stepgate_version", provenance.stepgate_version},
                {"sessions", provenance.sessions},
                {"replicates", provenance.replicates},
                {"previous", provenance.previous},
                {"local", provenance.local}};
  if (!provenance.options.empty()) value["options"] = provenance.options;
  return value;
}

Provenance provenance_at(Reader reader) {
  Provenance provenance{.commit = reader.at("commit").text(),
                        .utc = reader.at("utc").text(),
                        .reason = reader.at("reason").text(),
                        .compiler = reader.at("compiler").text(),
                        .stepgate_version = reader.at("stepgate_version").text(),
                        .sessions = reader.at("sessions").count(),
                        .replicates = reader.at("replicates").count(),
                        .previous = reader.at("previous").text(),
                        .local = reader.at("local").boolean(),
                        .options = {}};
  if (auto options = reader.find("options")) provenance.options = filled_text_at(*options);
  reader.reject_other_keys();
  return provenance;
}

/// Distinct values over processes. Only a growth can be below zero.
std::map<std::string, std::vector<std::int64_t>> bytes_at(const Reader& reader) {
  auto bytes = metrics_at(reader, Tier::bytes, &Reader::integers);
  for (const auto& [name, values] : bytes) {
    const bool negative = std::any_of(values.begin(), values.end(), [](std::int64_t value) { return value < 0; });
    if (!negative || find_metric(name)->over_steps == OverSteps::growth) continue;
    reader.fail(fmt::format("\"{}\" is below 0, and bytes are 0 or more", name));
  }
  return bytes;
}

std::vector<FunctionCall> function_calls_at(Reader reader) {
  const std::vector<std::string> callees = reader.at("callees").texts();
  const auto numbers_of_all = [&](const char* key) {
    const Reader numbers = reader.at(key);
    if (numbers.counts().size() != callees.size()) numbers.expected("one number for each of \"callees\"");
    return numbers.counts();
  };
  const std::vector<std::int64_t> least = numbers_of_all("least");
  const std::vector<std::int64_t> most = numbers_of_all("most");
  reader.reject_other_keys();
  std::vector<FunctionCall> calls;
  for (std::size_t i = 0; i < callees.size(); ++i) {
    if (least[i] > most[i]) reader.fail(fmt::format("\"least\" of \"{}\" is above its \"most\"", excerpt(callees[i])));
    calls.push_back({callees[i], least[i], most[i]});
  }
  return calls;
}

/// Lists of plain values, which take a line each.
Json value_of(const std::vector<FunctionCall>& calls) {
  Json callees = Json::array();
  Json least = Json::array();
  Json most = Json::array();
  for (const FunctionCall& call : calls) {
    callees.push_back(call.callee);
    least.push_back(call.least);
    most.push_back(call.most);
  }
  return {{"callees", std::move(callees)}, {"least", std::move(least)}, {"most", std::move(most)}};
}

void read_where(Reader reader, Baseline& baseline) {
  baseline.counts_by_boundary = metrics_at(reader.at("counts_by_boundary"), Tier::exact, totals_at);
  baseline.operators = reader.at("operators").map_of(totals_at);
  baseline.peak_by_boundary = totals_at(reader.at("peak_by_boundary"));
  if (auto calls = reader.find("device_calls")) {
    baseline.device_calls =
        metrics_at(*calls, Tier::exact, [](Reader boundaries) { return boundaries.map_of(totals_at); });
  }
  if (auto functions = reader.find("operator_functions")) {
    baseline.operator_functions = functions->map_of([](Reader operators) { return operators.map_of(totals_at); });
    const Reader from = reader.at("functions_from");
    baseline.functions_from = from.text();
    if (baseline.functions_from != "lines" && baseline.functions_from != "symbols")
      from.expected("\"lines\" or \"symbols\"");
    if (auto calls = reader.find("function_calls")) baseline.function_calls = calls->map_of(function_calls_at);
  }
  if (auto ledger = reader.find("ledger")) baseline.ledger = ledger_at(*ledger);
  reader.reject_other_keys();
}

LevelGrowth growth_at(Reader reader) {
  LevelGrowth growth{.per_step = reader.at("per_step").number(),
                     .noise = reader.at("noise").number(),
                     .steps = reader.at("steps").count()};
  reader.reject_other_keys();
  return growth;
}

/// Whole bytes: fractions of them tell nothing, and change with each acceptance.
Json value_of(const std::vector<LevelGrowth>& processes) {
  Json list = Json::array();
  for (const LevelGrowth& growth : processes) {
    list.push_back(
        {{"per_step", std::round(growth.per_step)}, {"noise", std::ceil(growth.noise)}, {"steps", growth.steps}});
  }
  return list;
}

Baseline baseline_at(Reader reader) {
  reader.check_schema();
  Baseline baseline;
  baseline.case_name = reader.at("case").text();
  baseline.scope = scope_at(reader.at("scope"));
  baseline.runner_class = reader.at("runner_class").text();
  baseline.key = reader.at("key").text_map();
  if (auto switches = reader.find("switches")) baseline.switches = switches->text_map();
  baseline.exact = metrics_at(reader.at("exact"), Tier::exact, &Reader::counts);
  baseline.bytes = bytes_at(reader.at("bytes"));
  if (auto growth = reader.find("growth"))
    baseline.growth = growth->map_of([](const Reader& processes) { return processes.list_of(growth_at); });
  if (auto numerics = reader.find("numerics")) {
    baseline.numerics = numeric_trace_at(*numerics, NonFinite::rejected);
    // It leaves a step out of tolerance undecided where processes differ, which they must not on a CPU.
    const bool may_round = baseline.scope == Scope::device && baseline.numerics->loss_digest.empty();
    if (baseline.numerics->rounded && !may_round)
      numerics->at("rounded").expected("false but for scope device without digests");
    if (!baseline.numerics->key.empty() && baseline.scope != Scope::device)
      numerics->at("key").expected("no key but for scope device");
  }
  read_where(reader.at("where"), baseline);
  baseline.sessions = reader.at("sessions").list_of(session_at);
  if (auto anchor = reader.find("anchor")) baseline.anchor = anchor_at(*anchor);
  baseline.provenance = provenance_at(reader.at("provenance"));
  reader.reject_other_keys();
  return baseline;
}

const DocumentType& type_of(const Baseline& baseline) {
  if (baseline.numerics && !baseline.numerics->key.empty()) return emulated_baseline_document;
  if (baseline.numerics && !baseline.numerics->nondeterministic_operators.empty()) return operators_baseline_document;
  if (!baseline.function_calls.empty()) return calls_baseline_document;
  if (!baseline.switches.empty()) return switches_baseline_document;
  if (!baseline.growth.empty()) return growth_baseline_document;
  if (!baseline.operator_functions.empty()) return functions_baseline_document;
  return baseline.scope == Scope::device ? device_baseline_document : baseline_document;
}

}  // namespace

std::string to_text(const Baseline& baseline) {
  const DocumentType& type = type_of(baseline);
  Json document = document_of(type);
  document["case"] = baseline.case_name;
  document["scope"] = name_of(baseline.scope);
  document["runner_class"] = baseline.runner_class;
  document["key"] = baseline.key;
  if (!baseline.switches.empty()) document["switches"] = baseline.switches;
  document["exact"] = baseline.exact;
  document["bytes"] = baseline.bytes;
  for (const auto& [metric, processes] : baseline.growth) document["growth"][metric] = value_of(processes);
  if (baseline.numerics) document["numerics"] = stepgate::value_of(*baseline.numerics, NonFinite::rejected);
  document["where"] = {{"counts_by_boundary", baseline.counts_by_boundary},
                       {"operators", baseline.operators},
                       {"peak_by_boundary", baseline.peak_by_boundary}};
  if (!baseline.device_calls.empty()) document["where"]["device_calls"] = baseline.device_calls;
  if (!baseline.operator_functions.empty()) {
    document["where"]["operator_functions"] = baseline.operator_functions;
    document["where"]["functions_from"] = baseline.functions_from;
    for (const auto& [caller, calls] : baseline.function_calls)
      document["where"]["function_calls"][caller] = value_of(calls);
  }
  if (baseline.ledger) document["where"]["ledger"] = stepgate::value_of(*baseline.ledger);
  Json& sessions = document["sessions"] = Json::array();
  for (const Session& session : baseline.sessions) sessions.push_back(value_of(session));
  if (baseline.anchor) document["anchor"] = value_of(*baseline.anchor);
  document["provenance"] = value_of(baseline.provenance);
  return canonical_text(document, {fmt::format("baseline of {}", baseline.case_name), type});
}

Baseline baseline_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, baseline_document};
  const DocumentTree document = read_document(text, origin);
  return baseline_at(Reader(document, origin));
}

}  // namespace stepgate
