#include "diagnose/profile/checklist.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/step_boundaries.h"
#include "core/text/number_format.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/profile/checklist_replies.h"
#include "diagnose/profile/step/account.h"

namespace stepgate {
namespace {

// XProf's levels of its input pipeline analyzer.
constexpr double wait_look_from = 0.05;
constexpr double wait_warn_from = 0.20;
/// Own choice: the matter margin of a suite by default. A mean so far from the median is made by few steps.
constexpr double mean_look_from = 0.05;
/// Own choice: five times what a profile observes unless it is asked for more. Further steps repeat the same operators.
constexpr std::int64_t many_observed_steps = 100;

Reply on_wait(const ChecklistFacts& facts) {
  if (facts.profile.account.empty()) return {Answer::unknown, "no undisturbed process was timed"};
  const double wait = share_of_part(facts.profile.account, "data-wait");
  const std::string evidence = share_text(wait) + " of the step waits for data";
  if (wait > wait_warn_from) return {Answer::warning, evidence};
  return {wait > wait_look_from ? Answer::look : Answer::ok, evidence};
}

Reply on_held_graphs(const ChecklistFacts& facts) {
  const auto held = counted_per_step(facts.input.exact, "held_graphs_per_step");
  if (!held) return {Answer::unknown, "held graphs were not counted"};
  return {*held > 0 ? Answer::warning : Answer::ok, "graphs of past steps still held: " + count_text(*held)};
}

Reply on_budget(const ChecklistFacts& facts) {
  if (!facts.profile.memory) return {Answer::unknown, "no peak was recorded"};
  const auto peak = static_cast<double>(facts.profile.memory->peak_bytes);
  const auto& budget = facts.input.peak_budget_bytes;
  if (!budget) {
    return {Answer::not_applicable,
            fmt::format("the peak is {}; the policy has no budgets.peak_allocated_bytes", bytes_text(peak))};
  }
  return {peak > *budget ? Answer::warning : Answer::ok,
          fmt::format("the peak is {}, the budget of the policy {}", bytes_text(peak), bytes_text(*budget))};
}

/// A loop need not mark the end of backward: its operators are then part of the next boundary.
bool computes_gradients(const OperatorRow& row) {
  return row.site.boundary == name_of(Boundary::backward) || row.site.for_forward;
}

Reply on_training_mode(const ChecklistFacts& facts) {
  if (is_one_call(facts)) return {Answer::unknown, "the step is one call: what it computes gradients of is not seen"};
  if (facts.profile.operators.empty()) return {Answer::unknown, "no operator was observed"};
  if (!std::ranges::any_of(facts.profile.operators, computes_gradients)) {
    return {Answer::warning, "nothing runs in backward: no_grad, or parameters without gradients"};
  }
  if (std::string text = first_match(facts, find_eval_mode); !text.empty()) {
    return {Answer::warning, text + ": eval()"};
  }
  return {Answer::ok, "backward computes, and no layer is in eval mode"};
}

Reply on_statistics(const ChecklistFacts& facts) {
  const StepStatistics& step = facts.profile.step;
  if (step.steps == 0 || !(step.median_ns > 0)) return {Answer::unknown, "no step was timed"};
  const double apart = step.mean_ns / step.median_ns - 1;
  return {std::abs(apart) > mean_look_from ? Answer::look : Answer::ok,
          fmt::format("the mean is {} from the median {}; p95 {}, p99 {}, from {} to {}, over {}", change_text(apart),
                      duration_text(step.median_ns), duration_text(step.p95_ns), duration_text(step.p99_ns),
                      duration_text(step.min_ns), duration_text(step.max_ns), counted(step.steps, "step"))};
}

Reply on_trust(const ChecklistFacts& facts) {
  const Reply experiments = reply_on_experiments(facts);
  const double overhead = facts.profile.observer_overhead;
  const std::string longer = overhead > 0 ? share_text(overhead) + " longer" : "no longer than others";
  return {experiments.answer, fmt::format("observed steps take {}; {}", longer, experiments.evidence)};
}

Reply on_profiled_steps(const ChecklistFacts& facts) {
  std::int64_t observed = 0;
  std::size_t processes = 0;
  for (const RunRecord* record : counted_records(facts.input.profile, Group::profile)) {
    if (!record->profile || !record->profile->observed || record->profile->observed->steps == 0) continue;
    observed = std::max(observed, record->profile->observed->steps);
    ++processes;
  }
  if (processes == 0) return {Answer::unknown, "no process observed a step"};
  return {observed > many_observed_steps ? Answer::look : Answer::ok,
          fmt::format("{} observed in each of {}, beside {} without a profiler", counted(observed, "step"),
                      counted(processes, "process", "processes"), counted(facts.profile.step.steps, "timed step"))};
}

constexpr std::array further_rows = {
    ChecklistRow{"smoke", "timing", "times of steady steps, synchronised", reply_on_warm_up, true},
    ChecklistRow{"smoke", "numerics", "finite losses that fall", reply_on_numerics},
    ChecklistRow{"smoke", "held-graphs", "no graph outlives its step", on_held_graphs},
    ChecklistRow{"smoke", "wait", "little waiting for data", on_wait, true},
    ChecklistRow{"smoke", "budget", "memory within its budget", on_budget},
    ChecklistRow{"mistakes", "too-many-steps", "too many steps under a profiler", on_profiled_steps},
    ChecklistRow{"mistakes", "no-warm-up", "measured without warm-up", reply_on_warm_up, true},
    ChecklistRow{"mistakes", "sync-in-loop", "the loop waits for the device", reply_on_syncs},
    ChecklistRow{"mistakes", "memory-ignored", "memory not looked at", reply_on_memory},
    ChecklistRow{"mistakes", "eval-mode", "eval mode or no_grad", on_training_mode},
    ChecklistRow{"mistakes", "mean-only", "a mean alone", on_statistics, true},
    ChecklistRow{"mistakes", "trusted-profiler", "a profiler believed", on_trust, true},
};

}  // namespace

bool is_one_call(const ChecklistFacts& facts) {
  return !facts.ran.empty() && facts.ran.front()->boundaries.find(whole_step_name).has_value();
}

std::string first_match(const ChecklistFacts& facts, FindPattern find) {
  for (const RunRecord* record : counted_records(facts.input.profile, Group::profile)) {
    if (!record->profile || !record->profile->observed) continue;
    const auto matches = find(*record->profile->observed);
    if (!matches.empty()) return matches.front().text;
  }
  return "";
}

Reply reply_on_warm_up(const ChecklistFacts& facts) {
  if (facts.timed.empty()) return {Answer::unknown, "no undisturbed process was timed"};
  std::size_t steady = 0;
  for (const RunRecord* record : facts.timed) steady += record->warmup && record->warmup->steady ? 1 : 0;
  const std::string evidence = fmt::format("{} of {} processes steady, after {} at most", steady, facts.timed.size(),
                                           counted(facts.profile.step.steady_after, "step"));
  return {steady == facts.timed.size() ? Answer::ok : Answer::look, evidence};
}

Reply reply_on_syncs(const ChecklistFacts& facts) {
  double reads = 0;
  std::string at;
  for (const OperatorRow& row : facts.profile.operators) {
    if (row.site.name != "aten::_local_scalar_dense") continue;
    reads += static_cast<double>(row.site.calls);
    if (at.empty() && row.at) at = fmt::format(", first at {}:{}", row.at->file, row.at->line);
  }
  if (facts.gpu) {
    const auto syncs = counted_per_step(facts.input.exact, "host_syncs_per_step");
    if (!syncs) return {Answer::unknown, "syncs were not counted"};
    return {*syncs > 0 ? Answer::warning : Answer::ok,
            fmt::format("calls that wait for the device: {} a step{}", count_text(*syncs), at)};
  }
  if (facts.profile.operators.empty()) return {Answer::unknown, "no operator was observed"};
  return {reads > 0 ? Answer::look : Answer::ok,
          fmt::format("values read on the host: {} a step{}", count_text(reads), at)};
}

Reply reply_on_loader(const ChecklistFacts& facts) {
  for (const BottleneckVerdict& verdict : facts.profile.bottlenecks) {
    if (verdict.kind != Bottleneck::input) continue;
    if (verdict.proof == Proof::proven) return {Answer::warning, verdict.says};
    return {verdict.proof == Proof::refuted ? Answer::ok : Answer::look, verdict.says};
  }
  const auto why = facts.profile.absent.find("bottleneck input");
  return {Answer::unknown, why == facts.profile.absent.end() ? "no experiment ran" : why->second};
}

Reply reply_on_memory(const ChecklistFacts& facts) {
  if (!facts.profile.memory) return {Answer::unknown, "no ledger was recorded"};
  const MemoryLedger& ledger = *facts.profile.memory;
  const auto largest =
      std::ranges::max_element(ledger.bytes, [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string evidence =
      fmt::format("peak {} in {}", bytes_text(static_cast<double>(ledger.peak_bytes)), ledger.boundary);
  if (largest != ledger.bytes.end() && ledger.peak_bytes > 0) {
    evidence += fmt::format(", {} {}",
                            share_text(static_cast<double>(largest->second) / static_cast<double>(ledger.peak_bytes)),
                            largest->first);
  }
  const Reply held = on_held_graphs(facts);
  if (held.answer == Answer::warning) return {Answer::warning, evidence + "; " + held.evidence};
  return {Answer::ok, evidence};
}

Reply reply_on_numerics(const ChecklistFacts& facts) {
  for (const RunRecord* record : clean_records(facts.input.exact, Group::exact)) {
    if (!record->numerics || record->numerics->loss.size() < 2) continue;
    const auto& loss = record->numerics->loss;
    const bool finite = std::ranges::all_of(loss, [](double value) { return std::isfinite(value); });
    if (!finite) return {Answer::warning, "a loss is not finite"};
    const std::string evidence =
        fmt::format("loss {:.4g} to {:.4g} over {}", loss.front(), loss.back(), counted(loss.size(), "step"));
    return {loss.back() < loss.front() ? Answer::ok : Answer::look, evidence};
  }
  return {Answer::unknown, "no process recorded its losses"};
}

Reply reply_on_experiments(const ChecklistFacts& facts) {
  std::int64_t decided = 0;
  std::int64_t run = 0;
  for (const ExperimentResult& result : facts.profile.experiments) {
    if (!result.effect) continue;
    ++run;
    decided += result.proof == Proof::undecided ? 0 : 1;
  }
  if (run == 0) return {Answer::unknown, "no experiment ran"};
  return {decided > 0 ? Answer::ok : Answer::look,
          fmt::format("{} of {} decided", decided, counted(run, "experiment"))};
}

std::vector<ChecklistEntry> checklist_for(const ProfileInput& input, const Profile& profile) {
  const ChecklistFacts facts{input, profile, clean_records(input.timed, Group::timed),
                             counted_records(input.timed, Group::timed), runs_on_gpu(input.timed)};
  std::vector<ChecklistEntry> entries;
  const auto add = [&](const ChecklistRow& row) {
    const bool unseen = row.of_time && !input.no_times.empty();
    Reply reply = unseen ? Reply{Answer::unknown, input.no_times} : row.reply(facts);
    entries.push_back(
        {std::string(row.list), std::string(row.id), std::string(row.asks), reply.answer, std::move(reply.evidence)});
  };
  for (const ChecklistRow& row : point_rows()) add(row);
  for (const ChecklistRow& row : further_rows) add(row);
  return entries;
}

}  // namespace stepgate
