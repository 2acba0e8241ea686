#include "diagnose/profile/kind_facts.h"

#include <fmt/format.h>

#include "core/text/number_format.h"
#include "diagnose/profile/step/model_operators.h"
#include "diagnose/profile/step/operator_table.h"
#include "diagnose/profile/step/step_means.h"
#include "stats/mean_interval.h"

namespace stepgate {
namespace {

std::optional<Interval> idle_interval(const Records& timed) {
  const auto shares = device_idle_shares(timed);
  if (shares.size() < 2) return std::nullopt;
  const MeanInterval found = mean_interval(shares, 0.95);
  return Interval{found.lower, found.upper};
}

std::optional<double> syncs_per_step(const Measurement& exact) {
  const auto host = counted_per_step(exact, "host_syncs_per_step");
  const auto device = counted_per_step(exact, "device_syncs_per_step");
  if (!host && !device) return std::nullopt;
  return host.value_or(0) + device.value_or(0);
}

std::optional<double> exchange_wait(const Records& timed, double step_ns) {
  bool exchanges = false;
  for (const StepSample* step : warm_steps(timed, Pass::e2e)) exchanges = exchanges || step->allreduce_wait_ns;
  if (!exchanges || !(step_ns > 0)) return std::nullopt;
  return mean_over_steps(
             timed, Pass::e2e,
             [](const StepSample& step) { return static_cast<double>(step.allreduce_wait_ns.value_or(0)); }) /
         step_ns;
}

/// Kernels run while the host goes on, so its own share is that of the operators as they were observed.
std::optional<double> host_operators(const KindInput& input) {
  if (input.profile.operator_times != OperatorTimes::device || !(input.profile.step.mean_ns > 0)) return std::nullopt;
  std::vector<const ProfileRun*> runs;
  for (const RunRecord* record : clean_records(input.input.profile, Group::profile)) {
    if (record->profile) runs.push_back(&*record->profile);
  }
  const OperatorTable table = operator_table(runs, MachinePeaks(), input.profile.step.mean_ns);
  return model_operators_ns(table.rows) / input.profile.step.mean_ns;
}

}  // namespace

const ExperimentResult* KindFacts::run(Experiment experiment) const {
  for (const ExperimentResult& result : profile.experiments) {
    if (result.experiment == experiment && result.effect && result.interval) return &result;
  }
  return nullptr;
}

double KindFacts::component(Boundary boundary) const {
  const auto at = profile.components.find(std::string(name_of(boundary)));
  return at == profile.components.end() || !(profile.step.mean_ns > 0) ? 0 : at->second / profile.step.mean_ns;
}

double KindFacts::host_share(Boundary boundary) const {
  return profile.step.mean_ns > 0 ? host_time_ns(timed, boundary) / profile.step.mean_ns : 0;
}

double KindFacts::fixed_share(Boundary boundary) const {
  if (doubled_batch.empty() || !(profile.step.mean_ns > 0)) return host_share(boundary);
  return 2 * host_share(boundary) - host_time_ns(doubled_batch, boundary) / profile.step.mean_ns;
}

KindFacts kind_facts(const KindInput& input) {
  const Records timed = clean_records(input.input.timed, Group::timed);
  const double step_ns = input.profile.step.mean_ns;
  return {
      .input = input.input,
      .profile = input.profile,
      .timed = timed,
      .doubled_batch = input.input.doubled_batch ? clean_records(*input.input.doubled_batch, Group::timed) : Records(),
      .gpu = runs_on_gpu(input.input.timed),
      .host_operators = host_operators(input),
      .margin = input.input.ignore_margin,
      .sides = side_shares(input.profile.operators, step_ns),
      .idle = idle_interval(timed),
      .host_syncs = syncs_per_step(input.input.exact),
      .exchange_wait = exchange_wait(timed, step_ns)};
}

std::string shorter_text(double gain, const Interval& interval) {
  if (gain >= 0) return share_with_interval(gain, interval) + " shorter";
  return share_with_interval(-gain, {-interval.upper, -interval.lower}) + " longer";
}

std::string share_with_interval(double share, const Interval& interval) {
  return fmt::format("{} [{}, {}]", share_text(share), share_text(interval.lower), share_text(interval.upper));
}

std::string number_with_interval(double value, const Interval& interval) {
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", value, interval.lower, interval.upper);
}

std::string processes_text(const ExperimentResult& result) {
  if (result.proof != Proof::undecided || !result.more_processes) return "";
  return fmt::format("; {} would decide", counted(*result.more_processes, "more process", "more processes"));
}

}  // namespace stepgate
