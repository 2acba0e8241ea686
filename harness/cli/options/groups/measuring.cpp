#include "cli/options/groups/measuring.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/plan.h"
#include "core/text/excerpt.h"
#include "core/text/number_in_text.h"
#include "environment/process/child_environment.h"
#include "system/step_count_list.h"

namespace stepgate {
namespace {

// Far above what anybody measures; a number beyond is a typing error.
constexpr CountRange process_counts{.least = 1, .most = 10'000};
constexpr double longest_timeout_s = 7 * 24 * 3600;
constexpr double longest_gap_s = 365 * 24 * 3600.0;

/// Options set what decides a measurement.
void need_passable_variables(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!changes_a_measurement(name)) continue;
    throw Error(ErrorKind::usage, fmt::format("--pass-env {}: this variable changes what is measured", excerpt(name)),
                "leave it out; options set threads and malloc: stepgate gate --help");
  }
}

OptionRow steps_row(std::string& steps) {
  return {Topic::measuring,
          "steps",
          "e2e=60,...",
          "",
          "step counts by name, instead of those of the case",
          text_into(steps, "counts by name, e.g. e2e=60,window=10"),
          {[&steps] { read_step_counts(steps, "--steps"); }}};
}

OptionRow pass_env_row(std::vector<std::string>& names) {
  return {Topic::measuring,
          "pass-env",
          "NAME,...",
          "STEPGATE_PASS_ENV",
          "variables of your environment that measured processes get too; may be repeated",
          variable_names_into(names),
          {[&names] { need_passable_variables(names); }}};
}

}  // namespace

OptionRow replicates_row(std::optional<std::int64_t>& replicates) {
  return {Topic::measuring,
          "replicates",
          "N",
          "STEPGATE_REPLICATES",
          "fresh processes of the timed half, rounds of a sweep (default 5), or those of a profile that "
          "experiment (default 4)",
          count_into(replicates, process_counts)};
}

OptionRow exact_replicates_row(std::optional<std::int64_t>& replicates) {
  return {Topic::measuring,
          "exact-replicates",
          "N",
          "",
          "fresh processes of the exact half (default 2)",
          count_into(replicates, process_counts)};
}

OptionRow timeout_row(std::optional<double>& timeout_s) {
  return {Topic::measuring,
          "timeout",
          "S",
          "",
          "seconds that one process may take (default: the limit of the case)",
          seconds_into(timeout_s, SecondsRange{.zero_too = false, .most_s = longest_timeout_s})};
}

OptionRow request_rate_row(std::string& rate) {
  return {Topic::measuring,
          "request-rate",
          "N",
          "",
          "open loop: N requests arrive in a second, for cases that answer requests; at most 70 % of what they can",
          {.accepts = fmt::format("a number of requests in a second, from {} to {}", least_request_rate_per_s,
                                  most_request_rate_per_s),
           .set = [&rate](const std::string& text) {
             const auto value = number_in_text(text);
             rate = text;
             return value && *value >= least_request_rate_per_s && *value <= most_request_rate_per_s;
           }}};
}

OptionRow session_gap_row(std::optional<double>& gap_s) {
  return {Topic::measuring,
          "session-gap",
          "S",
          "",
          "sessions closer than S seconds count as one (default: from the policy)",
          seconds_into(gap_s, SecondsRange{.zero_too = true, .most_s = longest_gap_s})};
}

OptionRows rows_of(Measuring& o) {
  return {
      {Topic::measuring, "threads", "N", "", "intra-op threads of the timed half (default 1)",
       count_into(o.threads, CountRange{.least = 1, .most = 4096})},
      {Topic::measuring, "seed", "N", "", "seed of data and weights", seed_into(o.seed)},
      steps_row(o.steps),
      pass_env_row(o.pass_env),
      {Topic::measuring, "malloc", "tuned|system", "",
       "malloc of measured processes: keep freed memory (tuned, the default), or glibc's own settings",
       choice_into(o.malloc_policy, "tuned|system")},
      timeout_row(o.timeout_s),
  };
}

MeasureOptions measure_options(const Measuring& o) {
  MeasureOptions measure{.threads = o.threads,
                         .seed = o.seed,
                         .timeout_s = o.timeout_s,
                         .malloc_policy = o.malloc_policy,
                         .passed_variables = {o.pass_env.begin(), o.pass_env.end()}};
  if (!o.steps.empty()) measure.steps = read_step_counts(o.steps, "--steps");
  return measure;
}

}  // namespace stepgate
