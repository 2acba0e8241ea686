#include "json/studies/profile_json.h"

#include <algorithm>
#include <array>

#include "json/records/passes/memory_value.h"
#include "json/records/passes/observed_work_value.h"
#include "json/records/passes/profile_run_value.h"
#include "json/studies/account_value.h"
#include "json/studies/work_census_value.h"
#include "json/text/canonical_text.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

constexpr DocumentType profile_document{
    "stepgate.profile", "a profile", 1, 0, ErrorKind::measure, "profile again: stepgate profile CASE"};

constexpr std::array bottlenecks = {
    Bottleneck::input,     Bottleneck::launch,  Bottleneck::sync,    Bottleneck::copy,      Bottleneck::communication,
    Bottleneck::optimizer, Bottleneck::logging, Bottleneck::compute, Bottleneck::bandwidth, Bottleneck::operators};
constexpr std::array proofs = {Proof::proven, Proof::refuted, Proof::undecided, Proof::likely, Proof::predicted};
constexpr std::array answers = {Answer::ok,        Answer::look,   Answer::warning, Answer::not_applicable,
                                Answer::needs_gpu, Answer::unknown};

constexpr std::array operator_times = {OperatorTimes::host, OperatorTimes::device, OperatorTimes::none};

/// The value of `all` with this name.
template <const auto& all>
auto named(std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](auto value) { return name_of(value) == name; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

Bottleneck bottleneck_at(const Reader& reader) {
  return reader.one_of(named<bottlenecks>,
                       "input, launch, sync, copy, communication, optimizer, logging, compute, bandwidth, operators");
}

Proof proof_at(const Reader& reader) {
  return reader.one_of(named<proofs>, "proven, refuted, undecided, likely, predicted");
}

OperatorTimes operator_times_at(const Reader& reader) {
  return reader.one_of(named<operator_times>, "host, device, none");
}

Json value_of(const StepStatistics& step) {
  return {{"steps", step.steps},         {"steady_after", step.steady_after},
          {"median_ns", step.median_ns}, {"mean_ns", step.mean_ns},
          {"sd_ns", step.sd_ns},         {"p95_ns", step.p95_ns},
          {"p99_ns", step.p99_ns},       {"min_ns", step.min_ns},
          {"max_ns", step.max_ns}};
}

Json value_of(const ExperimentResult& result) {
  Json value = {{"experiment", name_of(result.experiment)}, {"processes", result.processes}};
  if (result.effect) value["effect"] = *result.effect;
  if (result.interval) value["interval"] = Json::array({result.interval->lower, result.interval->upper});
  value["proof"] = name_of(result.proof);
  if (result.more_processes) value["more_processes"] = *result.more_processes;
  if (!result.absent.empty()) value["absent"] = result.absent;
  if (!result.remark.empty()) value["remark"] = result.remark;
  return value;
}

Json value_of(const OperatorRow& row) {
  Json value = {{"site", stepgate::value_of(row.site)}};
  if (row.at) value["at"] = stepgate::value_of(*row.at);
  value["self_ns"] = row.self_ns;
  value["roof_ns"] = row.roof_ns;
  value["efficiency"] = row.efficiency;
  if (row.overhead) value["overhead"] = true;
  if (row.below_ridge) value["below_ridge"] = true;
  if (!row.calls_are.empty()) value["calls_are"] = row.calls_are;
  if (row.fractional_calls) value["calls"] = *row.fractional_calls;
  return value;
}

Json value_of(const CallCost& cost) {
  Json value = {{"at", stepgate::value_of(cost.at)},
                {"name", cost.name},
                {"observed", cost.observed},
                {"calls", cost.calls},
                {"processes", cost.processes}};
  if (cost.observed_range) {
    value["observed_range"] = Json::array({cost.observed_range->lower, cost.observed_range->upper});
  }
  if (cost.most_overshoot) value["most_overshoot"] = *cost.most_overshoot;
  if (cost.most_repeating) value["most_repeating"] = *cost.most_repeating;
  if (cost.effect) value["effect"] = *cost.effect;
  if (cost.interval) {
    value["interval"] = Json::array({cost.interval->lower, cost.interval->upper});
    const Interval gain = gain_of(cost);
    value["gain"] = Json::array({gain.lower, gain.upper});
  }
  value["proof"] = name_of(cost.proof);
  if (!cost.absent.empty()) value["absent"] = cost.absent;
  return value;
}

Json value_of(const Advice& advice) {
  Json value = {
      {"worth", advice.worth}, {"proof", name_of(advice.proof)}, {"text", advice.text}, {"evidence", advice.evidence}};
  if (advice.at) value["at"] = stepgate::value_of(*advice.at);
  return value;
}

Json value_of(const ChecklistEntry& entry) {
  return {{"list", entry.list},
          {"id", entry.id},
          {"asks", entry.asks},
          {"answer", name_of(entry.answer)},
          {"evidence", entry.evidence}};
}

template <typename Row>
Json rows_of(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) list.push_back(value_of(row));
  return list;
}

StepStatistics step_at(Reader reader) {
  return {.steps = reader.at("steps").count(),
          .steady_after = reader.at("steady_after").count(),
          .median_ns = reader.at("median_ns").number(),
          .mean_ns = reader.at("mean_ns").number(),
          .sd_ns = reader.at("sd_ns").number(),
          .p95_ns = reader.at("p95_ns").number(),
          .p99_ns = reader.at("p99_ns").number(),
          .min_ns = reader.at("min_ns").number(),
          .max_ns = reader.at("max_ns").number()};
}

AccountPart part_at(Reader reader) {
  AccountPart part{.part = reader.at("part").text(),
                   .label = reader.at("label").text(),
                   .ns = reader.at("ns").number(),
                   .share = reader.at("share").number()};
  if (const auto kind = reader.find("kind")) part.kind = bottleneck_at(*kind);
  return part;
}

Interval bounds_at(const Reader& reader) {
  const std::vector<double> bounds = reader.numbers();
  if (bounds.size() != 2) reader.expected("a lower and an upper bound");
  return {bounds[0], bounds[1]};
}

ExperimentResult result_at(Reader reader) {
  ExperimentResult result;
  result.experiment = reader.at("experiment").one_of(experiment_named, "the names in core/study/experiment.h");
  result.processes = reader.at("processes").count();
  if (const auto effect = reader.find("effect")) result.effect = effect->number();
  if (const auto interval = reader.find("interval")) result.interval = bounds_at(*interval);
  result.proof = proof_at(reader.at("proof"));
  if (const auto more = reader.find("more_processes")) result.more_processes = more->count();
  if (const auto absent = reader.find("absent")) result.absent = absent->text();
  if (const auto remark = reader.find("remark")) result.remark = remark->text();
  return result;
}

BottleneckVerdict bottleneck_verdict_at(Reader reader) {
  BottleneckVerdict verdict{.kind = bottleneck_at(reader.at("kind")),
                            .proof = proof_at(reader.at("proof")),
                            .worth = reader.at("worth").number(),
                            .says = reader.at("says").text()};
  if (const auto interval = reader.find("interval")) verdict.interval = bounds_at(*interval);
  return verdict;
}

bool is_set(Reader& reader, const char* key) {
  const auto found = reader.find(key);
  return found && found->boolean();
}

OperatorRow operator_at(Reader reader) {
  OperatorRow row{.site = operator_site_at(reader.at("site")), .at = {}};
  if (const auto at = reader.find("at")) row.at = source_frame_at(*at);
  row.self_ns = reader.at("self_ns").number();
  row.roof_ns = reader.at("roof_ns").number();
  row.efficiency = reader.at("efficiency").number();
  row.overhead = is_set(reader, "overhead");
  row.below_ridge = is_set(reader, "below_ridge");
  if (const auto calls = reader.find("calls_are")) row.calls_are = calls->text();
  if (const auto calls = reader.find("calls")) row.fractional_calls = calls->number();
  return row;
}

CallCost call_cost_at(Reader reader) {
  CallCost cost{.at = source_frame_at(reader.at("at")),
                .name = reader.at("name").text(),
                .observed = reader.at("observed").number(),
                .calls = reader.at("calls").count(),
                .processes = reader.at("processes").count()};
  if (const auto range = reader.find("observed_range")) cost.observed_range = bounds_at(*range);
  if (const auto refill = reader.find("most_overshoot")) cost.most_overshoot = refill->number();
  if (const auto repeating = reader.find("most_repeating")) cost.most_repeating = repeating->number();
  if (const auto effect = reader.find("effect")) cost.effect = effect->number();
  if (const auto interval = reader.find("interval")) cost.interval = bounds_at(*interval);
  cost.proof = proof_at(reader.at("proof"));
  if (const auto absent = reader.find("absent")) cost.absent = absent->text();
  return cost;
}

Advice advice_at(Reader reader) {
  Advice advice{.worth = reader.at("worth").number(),
                .proof = proof_at(reader.at("proof")),
                .text = reader.at("text").text(),
                .evidence = reader.at("evidence").text()};
  if (const auto at = reader.find("at")) advice.at = source_frame_at(*at);
  return advice;
}

ChecklistEntry entry_at(Reader reader) {
  return {
      .list = reader.at("list").text(),
      .id = reader.at("id").text(),
      .asks = reader.at("asks").text(),
      .answer = reader.at("answer").one_of(named<answers>, "ok, look, warning, not applicable, needs a GPU, unknown"),
      .evidence = reader.at("evidence").text()};
}

void add_facts(const Profile& profile, Json& document) {
  document["case"] = profile.case_name;
  if (!profile.params.empty()) document["params"] = profile.params;
  document["runner_class"] = profile.runner_class;
  document["utc"] = profile.utc;
  document["commit"] = profile.commit;
  document["device"] = name_of(profile.device);
  document["threads"] = profile.threads;
  document["cpus"] = profile.cpus;
  document["processes"] = profile.processes;
  document["seconds"] = profile.seconds;
  document["interrupted"] = profile.interrupted;
  if (!profile.stopped.empty()) document["stopped"] = profile.stopped;
}

void read_facts(Reader& reader, Profile& profile) {
  profile.case_name = reader.at("case").text();
  if (const auto params = reader.find("params")) profile.params = params->text_map();
  profile.runner_class = reader.at("runner_class").text();
  profile.utc = reader.at("utc").text();
  profile.commit = reader.at("commit").text();
  profile.device = reader.at("device").one_of(device_named, "cpu, cuda");
  profile.threads = reader.at("threads").integer();
  profile.cpus = reader.at("cpus").integer();
  profile.processes = reader.at("processes").count();
  profile.seconds = reader.at("seconds").number();
  profile.interrupted = reader.at("interrupted").boolean();
  if (const auto stopped = reader.find("stopped")) profile.stopped = stopped->text();
}

}  // namespace

std::string to_text(const Profile& profile) {
  Json document = document_of(profile_document);
  add_facts(profile, document);
  document["step"] = value_of(profile.step);
  document["throughput"] = profile.throughput;
  document["flops"] = profile.flops;
  document["peaks"] = stepgate::value_of(profile.peaks);
  document["account"] = rows_of(profile.account);
  document["experiments"] = rows_of(profile.experiments);
  document["bottlenecks"] = rows_of(profile.bottlenecks);
  document["components"] = profile.components;
  if (profile.memory) document["memory"] = stepgate::value_of(*profile.memory);
  for (const auto& [boundary, memory] : profile.boundary_memory) {
    document["boundary_memory"][boundary] = stepgate::value_of(memory);
  }
  document["operators"] = rows_of(profile.operators);
  document["without_formula"] = profile.without_formula;
  if (!profile.call_costs.empty()) document["call_costs"] = rows_of(profile.call_costs);
  if (!profile.low_roofs.empty()) document["low_roofs"] = profile.low_roofs;
  document["advice"] = rows_of(profile.advice);
  document["checklist"] = rows_of(profile.checklist);
  document["observer_overhead"] = profile.observer_overhead;
  if (profile.operator_times != OperatorTimes::call) document["operator_times"] = name_of(profile.operator_times);
  if (profile.census) document["census"] = value_of(*profile.census);
  document["absent"] = profile.absent;
  document["files"] = profile.files;
  return canonical_text(document, {"profile.json", profile_document});
}

Profile profile_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, profile_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  Profile profile;
  read_facts(reader, profile);
  profile.step = step_at(reader.at("step"));
  profile.throughput = reader.at("throughput").map_of(&Reader::number);
  profile.flops = reader.at("flops").number();
  profile.peaks = machine_peaks_at(reader.at("peaks"));
  profile.account = reader.at("account").list_of(part_at);
  profile.experiments = reader.at("experiments").list_of(result_at);
  profile.bottlenecks = reader.at("bottlenecks").list_of(bottleneck_verdict_at);
  profile.components = reader.at("components").map_of(&Reader::number);
  if (const auto memory = reader.find("memory")) profile.memory = ledger_at(*memory);
  if (auto memory = reader.find("boundary_memory")) profile.boundary_memory = memory->map_of(boundary_memory_at);
  profile.operators = reader.at("operators").list_of(operator_at);
  profile.without_formula = reader.at("without_formula").texts();
  if (const auto costs = reader.find("call_costs")) profile.call_costs = costs->list_of(call_cost_at);
  if (const auto low = reader.find("low_roofs")) profile.low_roofs = low->texts();
  profile.advice = reader.at("advice").list_of(advice_at);
  profile.checklist = reader.at("checklist").list_of(entry_at);
  profile.observer_overhead = reader.at("observer_overhead").number();
  if (const auto times = reader.find("operator_times")) profile.operator_times = operator_times_at(*times);
  if (auto census = reader.find("census")) profile.census = work_census_at(*census);
  profile.absent = reader.at("absent").text_map();
  profile.files = reader.at("files").texts();
  return profile;
}

}  // namespace stepgate
