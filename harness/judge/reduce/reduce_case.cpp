#include "judge/reduce/reduce_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/catalogue/memory_metrics.h"
#include "core/metric.h"
#include "core/record/clean_records.h"
#include "core/text/operator_change.h"
#include "core/undeclared_amounts.h"
#include "judge/reduce/gpu_clock.h"
#include "judge/reduce/reduce_hazards.h"
#include "judge/reduce/reduce_levels.h"
#include "judge/reduce/reduce_timed.h"
#include "judge/reduce/reduce_trend.h"
#include "judge/reduce/timed_values.h"
#include "judge/requests/find_slow_requests.h"
#include "judge/requests/open_loop_state.h"

namespace stepgate {
namespace {

constexpr std::string_view instructions_metric = "host_instructions_per_step";

using Replicates = std::vector<const Replicate*>;

bool usable(const Replicate& replicate) { return replicate.record.has_value() && !replicate.failure.has_value(); }

Replicates clean_of(const Measurement& measurement, Group group) {
  Replicates result;
  for (const Replicate& replicate : measurement.replicates) {
    if (replicate.group == group && is_clean(replicate)) result.push_back(&replicate);
  }
  return result;
}

/// Interference distorts times but not counts: if no replicate is clean, the tainted ones give the exact values.
Replicates exact_of(const Measurement& measurement) {
  Replicates clean = clean_of(measurement, Group::exact);
  if (!clean.empty()) return clean;
  Replicates result;
  for (const Replicate& replicate : measurement.replicates) {
    if (replicate.group == Group::exact && usable(replicate)) result.push_back(&replicate);
  }
  return result;
}

Fingerprint merged(const Fingerprint& host, const Replicates& replicates) {
  if (replicates.empty()) return host;
  Fingerprint result = replicates.front()->record->fingerprint;
  result.insert(host.begin(), host.end());  // an in-process fact replaces the host's, because the workload ran under it
  return result;
}

void add_timed(const TimedValues& from, CaseValues& into) {
  for (const auto& [metric, value] : from.values) into.timed[metric].push_back(value);
  for (const auto& [metric, reason] : from.absent) into.absent.try_emplace(metric, reason);
}

void add_unsteady(const Replicate& replicate, CaseValues& into) {
  const auto note = [&](const std::string& reason) {
    into.unsteady_reasons.push_back(fmt::format("replicate {}: {}", replicate.index, reason));
  };
  const RunRecord& record = *replicate.record;
  if (record.warmup && !record.warmup->steady) {
    for (const std::string& reason : record.warmup->reasons) note(reason);
    if (record.warmup->reasons.empty()) note("warm-up did not reach a steady state");
  }
  if (const std::string why = why_nothing_timed(record); !why.empty()) note("measured nothing: " + why);
}

void note_requests(const RunRecord& record, CaseValues& into) {
  if (record.open_requests) {
    const OpenLoopState state = open_loop_state(*record.open_requests);
    const std::string problem = problem_of(state, *record.open_requests);
    if (!problem.empty()) into.queue_problem = problem;
    if (!state.stable) into.queue_grew = true;
  }
  if (!record.requests) return;
  if (const auto slow = find_slow_requests(*record.requests)) into.slow_requests.push_back(*slow);
}

void note_left_out_steps(const RunRecord& record, CaseValues& into) {
  const auto pass = record.timed.find(std::string(name_of(Pass::e2e)));
  if (pass == record.timed.end()) return;
  const std::vector<StepSample>& steps = pass->second.steps;
  into.e2e_steps += std::ssize(steps);
  into.cold_steps += std::count_if(steps.begin(), steps.end(), [](const StepSample& step) { return step.cold_shape; });
  into.skipped_steps +=
      std::count_if(steps.begin(), steps.end(), [](const StepSample& step) { return step.skipped_update; });
}

void note_own_evidence(const Evidence& evidence, CaseValues& into) {
  for (const EvidenceKey key : {EvidenceKey::own_wait_fraction, EvidenceKey::own_affinity_change}) {
    const auto found = evidence.values.find(key);
    if (found == evidence.values.end()) continue;
    double& highest = into.own_evidence[key];
    highest = std::max(highest, found->second);
  }
}

using Series = std::vector<std::int64_t>;

/// Growth per step of a level that was read at each step's end.
void add_growth(const Metric& metric, const Series& at_step_end, CaseValues& into) {
  const std::string name(metric.name);
  if (at_step_end.size() < min_growth_levels) {
    into.absent.try_emplace(
        name, fmt::format("needs {} steps of the memory pass, has {}", min_growth_levels, at_step_end.size()));
    return;
  }
  const LevelGrowth growth = growth_of_levels(at_step_end, metric.noise_floor);
  into.bytes[name].push_back(whole_growth(growth, metric.noise_floor));
  into.growth[name].push_back(growth);
}

/// Growth in chunks of a level that was followed through the numerics pass, and further where a chunk may have come.
void add_growth_in_chunks(const Metric& metric, const RunRecord& record, CaseValues& into) {
  const std::string name(metric.name);
  const Series& levels = record.memory->series.at(std::string(metric.series));
  const std::int64_t every_process = record.steps.numerics - std::max<std::int64_t>(1, record.steps.exact_warmup);
  if (every_process + 1 < static_cast<std::int64_t>(min_growth_levels) || levels.size() < min_growth_levels) {
    into.absent.try_emplace(
        name,
        fmt::format("needs {} steps of the numerics pass after the first {}, has {}", min_growth_levels - 1,
                    std::max<std::int64_t>(1, record.steps.exact_warmup), std::max<std::int64_t>(0, every_process)));
    return;
  }
  const LevelGrowth growth = growth_in_chunks(levels, {.least = metric.least_chunk,
                                                       .begin_within = static_cast<std::size_t>(every_process),
                                                       .fewest_steps = catalogue::host_heap_followed_steps});
  into.bytes[name].push_back(whole_growth(growth, metric.noise_floor));
  into.growth[name].push_back(growth);
}

void add_series(const Metric& metric, const Series& series, CaseValues& into) {
  const std::string name(metric.name);
  switch (metric.over_steps) {
    case OverSteps::each:
      into.exact[name].push_back(series);
      break;
    case OverSteps::once:
    case OverSteps::last:
      into.bytes[name].push_back(series.back());
      break;
    case OverSteps::growth:
      add_growth(metric, series, into);
      break;
  }
}

/// Every metric of the catalogue that is computed from a series.
void add_memory(const RunRecord& record, CaseValues& into) {
  const MemoryProfile& memory = *record.memory;
  for (const Metric& metric : metric_catalogue()) {
    const std::string series(metric.series);
    if (const auto at = memory.series.find(series); at != memory.series.end() && !at->second.empty()) {
      metric.least_chunk > 0 ? add_growth_in_chunks(metric, record, into) : add_series(metric, at->second, into);
    } else if (const auto reason = memory.absent.find(series); reason != memory.absent.end()) {
      into.absent.try_emplace(std::string(metric.name), reason->second);
    }
  }
}

void add_instructions(const InstructionCounts& counts, CaseValues& into) {
  if (counts.per_step.empty()) return;
  const std::int64_t total = std::accumulate(counts.per_step.begin(), counts.per_step.end(), std::int64_t{0});
  into.bytes[std::string(instructions_metric)].push_back(total / std::ssize(counts.per_step));
}

/// Boundary totals of the two passes stand beside each other, as if both had run the steps of the counts pass.
void add_instruction_shares(const InstructionCounts& counts, WorkCounts& into) {
  if (counts.per_step.empty()) return;
  const auto steps = static_cast<std::int64_t>(counted_steps(into.per_step));
  for (const auto& [boundary, total] : counts.by_boundary)
    into.by_boundary[std::string(instructions_metric)][boundary] = total / std::ssize(counts.per_step) * steps;
}

/// The last save: a workload that writes its state anew each time writes as much.
void add_checkpoint(const CheckpointSaves& saves, CaseValues& into) {
  if (!saves.bytes.empty()) into.bytes["checkpoint_bytes"].push_back(saves.bytes.back());
}

void add_exact(const RunRecord& record, CaseValues& into) {
  ExactProcess& process = into.exact_processes.emplace_back();
  process.replicate = record.replicate;
  if (record.counts) process.by_boundary = record.counts->by_boundary;
  if (record.memory) process.peak_by_boundary = record.memory->peak_by_boundary;
  if (record.instructions) process.instructions = record.instructions->per_step;
  for (const auto& [metric, reason] : record.absent) into.absent.try_emplace(metric, reason);
  if (record.counts) {
    // Programs of older versions recorded an amount that nobody declared as 0.
    for (const auto& [metric, reason] : undeclared_amounts(record.counts->per_step))
      into.absent.try_emplace(metric, reason);
    for (const auto& [metric, sequence] : without_undeclared(record.counts->per_step))
      into.exact[metric].push_back(sequence);
  }
  if (record.memory) add_memory(record, into);
  if (record.numerics) into.numerics.push_back(*record.numerics);
  if (record.instructions) add_instructions(*record.instructions, into);
  if (record.checkpoint) add_checkpoint(*record.checkpoint, into);
}

void note_losses(const Measurement& measurement, CaseValues& into) {
  for (const Replicate& replicate : measurement.replicates) {
    if (!usable(replicate) || replicate.record->losses.empty()) continue;
    if (replicate.group != Group::timed && replicate.group != Group::exact) continue;
    into.losses.push_back({replicate.group, replicate.index, replicate.record->losses});
  }
}

/// A metric that at least one replicate measured is not absent.
void drop_measured(CaseValues& values) {
  const auto measured = [&](const std::string& metric) {
    return values.timed.contains(metric) || values.exact.contains(metric) || values.bytes.contains(metric);
  };
  std::erase_if(values.absent, [&](const auto& entry) { return measured(entry.first); });
}

/// Both keys of its lateness count, whichever of them a policy limits.
void note_late_generator(const Replicate& replicate, CaseValues& into) {
  for (const std::string& reason : replicate.taint_reasons) {
    const bool late = reason.starts_with(name_of(EvidenceKey::generator_late_fraction)) ||
                      reason.starts_with(name_of(EvidenceKey::generator_late_ns));
    if (!late) continue;
    ++into.late_generators;
    into.why_generator_late = reason;
    return;
  }
}

void note_replicates(const Measurement& measurement, CaseValues& into) {
  for (const Replicate& replicate : measurement.replicates) {
    if (replicate.failure && !counts_as_failed(replicate)) continue;  // it was repeated, and its successor counts
    if (counts_as_failed(replicate)) {
      if (into.failures.empty()) {
        into.changed_setting = replicate.failure->kind == FailureKind::changed_setting;
        into.infrastructure = replicate.failure->kind == FailureKind::infrastructure;
        into.needs_values = replicate.failure->kind == FailureKind::needs_values;
      }
      into.failures.push_back(
          fmt::format("{} replicate {}: {}", name_of(replicate.group), replicate.index, replicate.failure->message));
    } else if (!replicate.record && !replicate.failure) {
      into.failures.push_back(
          fmt::format("{} replicate {}: neither a record nor a failure", name_of(replicate.group), replicate.index));
    } else if (!replicate.set_aside.empty()) {
      ++into.set_aside;
      into.why_set_aside = replicate.set_aside;
    } else if (!replicate.taint_reasons.empty()) {
      ++into.tainted;
      into.why_tainted = replicate.taint_reasons.front();
      note_late_generator(replicate, into);
    }
  }
}

bool every_failure(const Measurement& measurement, const std::function<bool(FailureKind)>& is_wanted) {
  const auto& replicates = measurement.replicates;
  return !replicates.empty() && std::all_of(replicates.begin(), replicates.end(), [&](const Replicate& replicate) {
    return replicate.failure && is_wanted(replicate.failure->kind);
  });
}

/// The reason for a case that this machine cannot run at all; none for a failure of another kind.
VerdictReason reason_beyond_machine(FailureKind kind) {
  if (kind == FailureKind::too_few_gpus) return ReasonCode::too_few_gpus;
  return kind == FailureKind::gpu_too_small ? ReasonCode::gpu_too_small : VerdictReason();
}

/// True if every process reported that a device it needs is missing, e.g. a GPU.
bool nothing_available(const Measurement& measurement) {
  return every_failure(measurement, [](FailureKind kind) {
    return kind == FailureKind::unavailable || !reason_beyond_machine(kind).empty();
  });
}

VerdictReason beyond_machine(const Measurement& measurement) {
  const bool is_beyond =
      every_failure(measurement, [](FailureKind kind) { return !reason_beyond_machine(kind).empty(); });
  return is_beyond ? reason_beyond_machine(measurement.replicates.front().failure->kind) : VerdictReason();
}

}  // namespace

const RunRecord* last_clean_record(const Measurement& measurement, Group group) {
  const Replicates clean = clean_of(measurement, group);
  return clean.empty() ? nullptr : &*clean.back()->record;
}

CaseValues case_values(const Measurement& measurement) {
  const Replicates timed = clean_of(measurement, Group::timed);
  const Replicates exact = exact_of(measurement);
  CaseValues values;
  values.case_name = measurement.case_name;
  for (const Replicate* replicate : timed) {
    TimedValues found = timed_values(*replicate->record);
    if (!found.values.empty()) ++values.clean_timed;
    add_energy(replicate->evidence, *replicate->record, found);
    add_gpu_clock(replicate->evidence, *replicate->record, found);
    add_timed(found, values);
    if (const auto trend = step_trend(*replicate->record)) values.step_trends.push_back(*trend);
    note_requests(*replicate->record, values);
    note_left_out_steps(*replicate->record, values);
    note_own_evidence(replicate->evidence, values);
    if (replicate->record->background) values.background_threads = replicate->record->background->threads;
    if (replicate->record->waiting) values.took_turns = true;
    const std::size_t reasons = values.unsteady_reasons.size();
    add_unsteady(*replicate, values);
    if (values.unsteady_reasons.size() > reasons) ++values.unsteady;
  }
  for (const Replicate* replicate : clean_of(measurement, Group::reference)) {
    add_timed(reference_values(*replicate->record), values);
  }
  for (const Replicate* replicate : exact) add_exact(*replicate->record, values);
  for (const Replicates* group : {&timed, &exact}) {
    if (group->empty()) continue;
    values.boundaries = group->front()->record->boundaries;
    if (const auto& kept = group->front()->record->kept_tensors; !kept.empty()) values.kept_tensors = kept;
    if (const auto& facts = group->front()->record->inference) values.inference = facts;
  }
  if (!exact.empty()) {
    const RunRecord& first = *exact.front()->record;
    values.exact_background = first.background;
    if (first.counts) values.counts = *first.counts;
    if (first.instructions) add_instruction_shares(*first.instructions, values.counts);
    if (first.memory) {
      values.peak_by_boundary = first.memory->peak_by_boundary;
      values.ledger = first.memory->ledger;
      values.rises = first.memory->rises;
    }
  }
  add_hazards(measurement, values);
  values.exact_fingerprint = merged(measurement.host, exact);
  values.timed_fingerprint = merged(measurement.host, timed);
  values.clean_exact = std::ssize(clean_of(measurement, Group::exact));
  note_replicates(measurement, values);
  note_losses(measurement, values);
  values.unavailable = nothing_available(measurement);
  values.beyond_machine = beyond_machine(measurement);
  drop_measured(values);
  return values;
}

}  // namespace stepgate
