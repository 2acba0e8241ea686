#include "experiment/results/judging_command.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "core/judged/judged_tiers.h"
#include "judge/interval/pair_plan.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Pairs that decided nothing would decide nothing a second time.
bool pairs_may_judge(const JudgedTier& tier) {
  if (tier.half != TierChoice::timed) return false;
  if (tier.outcome != nullptr && (tier.outcome->pairs_decided || tier.outcome->kind == result_of_pairs)) return false;
  return tier.outcome == nullptr || tier.status == Status::no_baseline || tier.status == Status::inconclusive;
}

bool is_unmeasured_exact(const JudgedTier& tier) { return tier.half == TierChoice::exact && tier.outcome == nullptr; }

/// A script of that name may be another one: it has to know the option.
bool has_perf_script(const Project& project) {
  const fs::path& root = project.manifest.source_root;
  std::error_code failed;
  if (root.empty() || !fs::is_regular_file(root / "ci" / "perf", failed)) return false;
  return read_text_file(root / "ci" / "perf").find("--against REF") != std::string::npos;
}

/// What one timed process of the case took, with its share of the processes around it.
std::optional<double> seconds_per_process(const JudgedTier& tier) {
  std::int64_t processes = 0;
  if (tier.outcome == nullptr) return std::nullopt;
  for (const StepDistribution& each : tier.outcome->distributions) processes = std::max(processes, each.processes);
  if (processes == 0 || tier.outcome->seconds <= 0) return std::nullopt;
  return tier.outcome->seconds / static_cast<double>(processes);
}

/// Each case is measured as before, then in pairs; one of them has the pairs of the A/A control beside its own.
void add_time(const RunReport& report, const std::vector<JudgedTier>& open, JudgingCommand& command) {
  double measured_s = 0;
  for (const Outcome& outcome : report.outcomes) measured_s += outcome.seconds;
  double sum_s = 0;
  double longest_s = 0;
  for (const JudgedTier& tier : open) {
    const auto process_s = seconds_per_process(tier);
    if (!process_s) return;
    sum_s += *process_s;
    longest_s = std::max(longest_s, *process_s);
  }
  const PairPlan plan = default_pair_plan();
  const auto pairs_s = [&](std::int64_t pairs) { return 2.0 * static_cast<double>(pairs) * (sum_s + longest_s); };
  command.fewest_s = measured_s + pairs_s(plan.analyses.front().pairs);
  command.most_s = measured_s + pairs_s(most_pairs(plan));
}

}  // namespace

JudgingCommand judging_command(const Project& project, const Caller& caller, const RunReport& report) {
  const std::vector<JudgedTier> tiers = judged_tiers(report);
  std::vector<JudgedTier> open;
  std::copy_if(tiers.begin(), tiers.end(), std::back_inserter(open), pairs_may_judge);
  const auto exact = std::count_if(tiers.begin(), tiers.end(), is_unmeasured_exact);
  JudgingCommand command;
  command.halves = std::ssize(open) + exact;
  if (command.halves == 0) return command;
  if (open.empty()) {
    command.text = caller.commands.gate_all(TierChoice::exact, false);
    return command;
  }
  command.against_base = true;
  const bool script = has_perf_script(project);
  command.text = script ? "ci/perf --against main"
                        : caller.commands.gate_all(exact > 0 ? TierChoice::all : TierChoice::timed, true);
  if (exact == 0) add_time(report, open, command);
  return command;
}

}  // namespace stepgate
