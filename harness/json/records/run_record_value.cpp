#include "json/records/run_record_value.h"

#include "core/error.h"
#include "json/records/passes/kept_tensors_value.h"
#include "json/records/passes/memory_value.h"
#include "json/records/passes/numeric_trace_value.h"
#include "json/records/passes/observed_work_value.h"
#include "json/records/passes/pass_losses_value.h"
#include "json/records/passes/profile_run_value.h"
#include "json/records/passes/request_times_value.h"
#include "json/records/passes/timed_extras_value.h"
#include "json/records/passes/timed_pass_value.h"
#include "json/records/plan_value.h"

namespace stepgate {
namespace {

Json value_of(const EventCost& cost) {
  return {{"record_ns", cost.record_ns},
          {"records_per_step", cost.records_per_step},
          {"marked_window_every", cost.marked_window_every}};
}

EventCost event_cost_at(Reader reader) {
  return {.record_ns = reader.at("record_ns").integer(),
          .records_per_step = reader.at("records_per_step").integer(),
          .marked_window_every = reader.at("marked_window_every").integer()};
}

Json value_of(const Warmup& warmup) {
  Json value = {{"first_step_ns", warmup.first_step_ns},
                {"steps", warmup.steps},
                {"steady", warmup.steady},
                {"reasons", warmup.reasons}};
  if (warmup.event_cost) value["event_cost"] = value_of(*warmup.event_cost);
  return value;
}

Warmup warmup_at(Reader reader) {
  Warmup warmup{.first_step_ns = reader.at("first_step_ns").integer(),
                .steps = reader.at("steps").integer(),
                .steady = reader.at("steady").boolean(),
                .reasons = reader.at("reasons").texts()};
  if (auto cost = reader.find("event_cost")) warmup.event_cost = event_cost_at(*cost);
  return warmup;
}

Json value_of(const WorkCounts& counts) {
  Json value = {{"per_step", counts.per_step}, {"by_boundary", counts.by_boundary}, {"operators", counts.operators}};
  if (!counts.worker_operators.empty()) value["worker_operators"] = counts.worker_operators;
  if (!counts.device_calls.empty()) value["device_calls"] = counts.device_calls;
  if (counts.observed) value["observed"] = stepgate::value_of(*counts.observed);
  return value;
}

/// Older programs do not tell own waits from others.
Json value_of(const Scheduling& scheduling) {
  Json value = {{"run_ns", scheduling.run_ns}, {"wait_ns", scheduling.wait_ns}};
  if (scheduling.own_wait_ns > 0) value["own_wait_ns"] = scheduling.own_wait_ns;
  return value;
}

Scheduling scheduling_at(Reader reader) {
  Scheduling scheduling{.run_ns = reader.at("run_ns").integer(), .wait_ns = reader.at("wait_ns").integer()};
  if (const auto own = reader.find("own_wait_ns")) scheduling.own_wait_ns = own->integer();
  return scheduling;
}

Json value_of(const BackgroundCpu& background) {
  return {{"cpu_ns", background.cpu_ns},
          {"step_cpu_ns", background.step_cpu_ns},
          {"steps", background.steps},
          {"threads", background.threads}};
}

BackgroundCpu background_cpu_at(Reader reader) {
  return {.cpu_ns = reader.at("cpu_ns").integer(),
          .step_cpu_ns = reader.at("step_cpu_ns").integer(),
          .steps = reader.at("steps").integer(),
          .threads = totals_at(reader.at("threads"))};
}

StepBoundaries boundaries_at(const Reader& reader) {
  const std::vector<std::string> names = reader.texts();
  try {
    return StepBoundaries(names);
  } catch (const Error& error) {
    reader.fail(error.what());
  }
}

WorkCounts counts_at(Reader reader) {
  WorkCounts counts{.per_step = reader.at("per_step").map_of(&Reader::counts),
                    .by_boundary = reader.at("by_boundary").map_of(totals_at),
                    .operators = reader.at("operators").map_of(totals_at)};
  if (auto workers = reader.find("worker_operators")) counts.worker_operators = totals_at(*workers);
  if (auto calls = reader.find("device_calls")) {
    counts.device_calls = calls->map_of([](Reader boundaries) { return boundaries.map_of(totals_at); });
  }
  if (auto observed = reader.find("observed")) counts.observed = observed_work_at(*observed);
  return counts;
}

Json value_of(const InstructionCounts& counts) {
  return {{"per_step", counts.per_step}, {"by_boundary", counts.by_boundary}};
}

InstructionCounts instructions_at(Reader reader) {
  return {.per_step = reader.at("per_step").counts(), .by_boundary = totals_at(reader.at("by_boundary"))};
}

}  // namespace

void add_run_record(Json& value, const RunRecord& record) {
  value["case"] = record.case_name;
  value["params"] = record.params;
  value["group"] = name_of(record.group);
  value["seed"] = record.seed;
  value["replicate"] = record.replicate;
  value["steps"] = stepgate::value_of(record.steps);
  value["fingerprint"] = record.fingerprint;
  if (record.warmup) value["warmup"] = value_of(*record.warmup);
  if (record.scheduling) {
    value["scheduling"] = value_of(*record.scheduling);
  }
  if (record.background) value["background"] = value_of(*record.background);
  if (record.waiting) {
    value["waiting"] = {{"wall_ns", record.waiting->wall_ns}, {"cpu_ns", record.waiting->cpu_ns}};
  }
  if (record.boundaries != StepBoundaries()) value["boundaries"] = record.boundaries.names();
  Json& timed = value["timed"] = Json::object();
  for (const auto& [name, pass] : record.timed) timed[name] = stepgate::value_of(pass, record.boundaries);
  if (record.requests) value["requests"] = stepgate::value_of(*record.requests);
  if (record.open_requests) value["open_requests"] = stepgate::value_of(*record.open_requests);
  if (record.inference) value["inference"] = stepgate::value_of(*record.inference);
  if (record.h2d) value["h2d"] = stepgate::value_of(*record.h2d);
  if (!record.logging.empty()) value["logging"] = stepgate::value_of(record.logging);
  if (!record.device_work.empty()) value["device_work"] = stepgate::value_of(record.device_work);
  if (record.checkpoint) value["checkpoint"] = stepgate::value_of(*record.checkpoint);
  if (record.counts) value["counts"] = value_of(*record.counts);
  if (record.memory) value["memory"] = stepgate::value_of(*record.memory);
  if (record.numerics) value["numerics"] = stepgate::value_of(*record.numerics, NonFinite::kept);
  if (record.instructions) value["instructions"] = value_of(*record.instructions);
  for (const KeptTensor& kept : record.kept_tensors) value["kept_tensors"].push_back(stepgate::value_of(kept));
  for (const auto& [pass, losses] : record.losses) value["losses"][pass] = stepgate::value_of(losses);
  if (record.profile) value["profile"] = stepgate::value_of(*record.profile);
  value["absent"] = record.absent;
}

RunRecord run_record_at(Reader reader) {
  RunRecord record;
  record.case_name = reader.at("case").text();
  record.params = reader.at("params").text_map();
  record.group = group_at(reader.at("group"));
  record.seed = reader.at("seed").unsigned_integer();
  record.replicate = reader.at("replicate").integer();
  record.steps = step_counts_at(reader.at("steps"));
  record.fingerprint = reader.at("fingerprint").text_map();
  if (auto warmup = reader.find("warmup")) record.warmup = warmup_at(*warmup);
  if (auto scheduling = reader.find("scheduling")) {
    record.scheduling = scheduling_at(*scheduling);
  }
  if (auto background = reader.find("background")) record.background = background_cpu_at(*background);
  if (auto waiting = reader.find("waiting")) {
    record.waiting = {.wall_ns = waiting->at("wall_ns").integer(), .cpu_ns = waiting->at("cpu_ns").integer()};
  }
  if (const auto boundaries = reader.find("boundaries")) record.boundaries = boundaries_at(*boundaries);
  record.timed = reader.at("timed").map_of([&](Reader pass) { return timed_pass_at(pass, record.boundaries); });
  if (auto requests = reader.find("requests")) record.requests = closed_loop_at(*requests);
  if (auto requests = reader.find("open_requests")) record.open_requests = open_loop_at(*requests);
  if (auto inference = reader.find("inference")) record.inference = inference_facts_at(*inference);
  if (auto h2d = reader.find("h2d")) record.h2d = copy_trials_at(*h2d);
  if (auto logging = reader.find("logging")) record.logging = logging_blocks_at(*logging);
  if (auto work = reader.find("device_work")) record.device_work = device_work_at(*work);
  if (auto saves = reader.find("checkpoint")) record.checkpoint = checkpoint_saves_at(*saves);
  if (auto counts = reader.find("counts")) record.counts = counts_at(*counts);
  if (auto memory = reader.find("memory")) record.memory = memory_at(*memory);
  if (auto numerics = reader.find("numerics")) record.numerics = numeric_trace_at(*numerics, NonFinite::kept);
  if (auto instructions = reader.find("instructions")) record.instructions = instructions_at(*instructions);
  if (auto kept = reader.find("kept_tensors")) record.kept_tensors = kept->list_of(kept_tensor_at);
  if (auto losses = reader.find("losses")) record.losses = losses->map_of(pass_losses_at);
  if (auto profile = reader.find("profile")) record.profile = profile_run_at(*profile);
  record.absent = reader.at("absent").text_map();
  return record;
}

}  // namespace stepgate
