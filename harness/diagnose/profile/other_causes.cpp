#include "diagnose/profile/other_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/profile/step/call_price.h"
#include "diagnose/profile/step/device_timed_work.h"
#include "diagnose/profile/step/model_operators.h"

namespace stepgate {
namespace {

/// Smaller causes are not listed: the ignore margin's default.
constexpr double least_listed_share = 0.01;

/// Own choice, above what the noise of two passes leaves of a loader that sets the pace alone (2 to 5 %).
constexpr double least_work_beside = 0.10;

double model_host_share(const KindFacts& facts) {
  double share = 0;
  for (std::size_t i = 0; i < boundary_slots; ++i) {
    const auto boundary = static_cast<Boundary>(i);
    if (!is_around_the_model(boundary)) share += facts.host_share(boundary);
  }
  return share;
}

}  // namespace

ModelShares model_shares(const KindFacts& facts) {
  ModelShares shares;
  const double step_ns = facts.profile.step.mean_ns;
  if (!(step_ns > 0)) return shares;
  for (const OperatorRow& row : facts.profile.operators) {
    if (!is_of_the_model(row)) continue;
    const bool is_calls = is_price_of_calls(row, roofs_of(facts.profile));
    (is_calls ? shares.calls : shares.computing) += row.self_ns / step_ns;
    if (!is_calls && row.below_ridge) shares.bandwidth += row.self_ns / step_ns;
  }
  const double operators = facts.host_operators.value_or(shares.calls + shares.computing);
  shares.host_code = std::max(0.0, model_host_share(facts) - operators);
  return shares;
}

std::vector<OtherCause> other_fixed_causes(const KindFacts& facts) {
  const ModelShares model = model_shares(facts);
  return {{"data wait", facts.fixed_share(Boundary::data_wait)},
          {"copies of the batch", facts.fixed_share(Boundary::h2d)},
          {"the optimizer", facts.fixed_share(Boundary::optimizer)},
          {"logging", facts.fixed_share(Boundary::logging)},
          {"waiting for other ranks", facts.exchange_wait.value_or(0)},
          {"host code between operators", model.host_code},
          {"operators that cost more than their calls", model.computing}};
}

std::vector<OtherCause> other_host_causes(const KindFacts& facts) {
  return {{"data wait", facts.host_share(Boundary::data_wait)},
          {"copies of the batch", facts.host_share(Boundary::h2d)},
          {"the optimizer", facts.host_share(Boundary::optimizer)},
          {"logging", facts.host_share(Boundary::logging)},
          {"waiting for other ranks", facts.exchange_wait.value_or(0)},
          {"host code between operators", model_shares(facts).host_code}};
}

std::vector<OtherCause> other_threaded_causes(const KindFacts& facts) {
  return {{"data wait", facts.share("data-wait")},
          {"copies of the batch", facts.host_share(Boundary::h2d) / 2},
          {"the optimizer", facts.host_share(Boundary::optimizer) / 2},
          {"logging", facts.host_share(Boundary::logging) / 2},
          {"operators below the ridge", model_shares(facts).bandwidth / 2}};
}

double sum_of(const std::vector<OtherCause>& causes) {
  double sum = 0;
  for (const OtherCause& cause : causes) sum += cause.share;
  return sum;
}

std::string causes_text(std::vector<OtherCause> causes) {
  std::erase_if(causes, [](const OtherCause& cause) { return cause.share < least_listed_share; });
  std::ranges::stable_sort(causes, std::ranges::greater(), &OtherCause::share);
  std::string text;
  for (const OtherCause& cause : causes) {
    text += fmt::format("{}{} {}", text.empty() ? "; of it at most " : ", ", cause.what, share_text(cause.share));
  }
  return text;
}

std::optional<double> loader_slack(const KindFacts& facts) {
  const auto loading_ns = loading_time_ns(facts.timed);
  if (!loading_ns || !(facts.profile.step.mean_ns > 0)) return std::nullopt;
  return 1 - *loading_ns / facts.profile.step.mean_ns;
}

bool loads_on_the_step(const KindFacts& facts) {
  const auto slack = loader_slack(facts);
  return slack && *slack > least_work_beside && facts.host_share(Boundary::data_wait) > (1 - *slack) / 2;
}

Share within_slack(const KindFacts& facts, Share share) {
  const auto slack = loader_slack(facts);
  if (!slack) return share;
  return {std::min(share.value, *slack),
          {std::min(share.interval.lower, *slack), std::min(share.interval.upper, *slack)}};
}

}  // namespace stepgate
