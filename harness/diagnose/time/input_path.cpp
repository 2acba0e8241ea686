#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/copy_overlap.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// A loader that supplies less than this times what compute takes has no reserve: DS-Analyzer (Mohan and others, VLDB
/// 2021) calls a job stalled below 1; the tenth allows for the scatter of both rates.
constexpr double starving_ratio = 1.1;

/// Padding that explains less than half of what the useful tokens lost is not why: steps of a slower build can meet
/// other batches.
constexpr double padding_share = 0.5;

std::string starvation_text(const JudgedComparison& input) {
  const auto ratio = timed_pair(input, "supply_ratio");
  if (!ratio) return "";
  const std::string text =
      fmt::format("; it supplies {:.2f} times what compute takes (was {:.2f})", ratio->now, ratio->before);
  return ratio->now < starving_ratio ? text + ": the device starves" : text;
}

void add_loader(const JudgedComparison& input, std::vector<Finding>& findings) {
  const auto supply = timed_pair(input, "loader_samples_per_s");
  if (is_red(input, "loader_samples_per_s") && supply && supply->before > 0) {
    findings.push_back(
        {FindingCode::loader_slower, Severity::cause,
         fmt::format("data_wait: the loader alone gives {:.0f} samples/s, was {:.0f} ({}){}", supply->now,
                     supply->before, change_text(supply->now / supply->before - 1), starvation_text(input)),
         "look for fewer or slower workers, a smaller prefetch, more decoding or augmentation per sample, and slower "
         "storage.",
         "loader_samples_per_s"});
    return;
  }
  const auto ratio = timed_pair(input, "supply_ratio");
  if (input.verdict.status == Status::regressed && ratio && ratio->now < 1) {
    findings.push_back(
        {FindingCode::starved, Severity::note,
         fmt::format("data_wait: the loader supplies {:.2f} times what compute takes (was {:.2f})", ratio->now,
                     ratio->before),
         "the step waits for data, however fast the model is: try more workers (stepgate sweep over loader_workers).",
         "supply_ratio"});
  }
}

/// Whether the tokens that became padding are the larger part of the useful ones that are gone, or so many that they
/// matter by themselves.
bool padding_explains(const TimedPair& ratio, const TimedPair& effective, double matters) {
  if (!(effective.before > 0) || !(ratio.before < 1)) return false;
  const double lost = 1 - effective.now / effective.before;
  const double padded = 1 - (1 - ratio.now) / (1 - ratio.before);
  return padded >= padding_share * lost || padded >= matters;
}

void add_padding(const JudgedComparison& input, std::vector<Finding>& findings) {
  const bool fewer_tokens = is_red(input, "effective_tokens_per_s");
  if (!fewer_tokens && !is_red(input, "padding_tokens_per_step")) return;
  const auto padded = timed_pair(input, "padded_tokens_per_s");
  const auto effective = timed_pair(input, "effective_tokens_per_s");
  const auto ratio = timed_pair(input, "padding_ratio");
  if (!ratio || !padded || !effective || ratio->now <= ratio->before) return;
  if (!is_red(input, "padding_tokens_per_step") && !padding_explains(*ratio, *effective, input.policy.margins.matter))
    return;
  const bool flattering = padded->now > padded->before;
  findings.push_back(
      {FindingCode::padding_grew, Severity::cause,
       fmt::format("data_wait: {} of the tokens are padding, was {}{}", share_text(ratio->now),
                   share_text(ratio->before),
                   flattering ? fmt::format("; padded tokens/s look {} better, effective tokens/s are {}",
                                            change_text(padded->now / padded->before - 1),
                                            change_text(effective->now / effective->before - 1))
                              : ""),
       "batch samples of like length together, or round lengths up less.",
       fewer_tokens ? "effective_tokens_per_s" : "padding_tokens_per_step"});
}

void add_overlap(const JudgedComparison& input, std::vector<Finding>& findings) {
  const auto overlap = lost_copy_overlap(input);
  if (!is_whole_time_red(input) || !overlap) return;
  findings.push_back({FindingCode::copy_not_overlapped, Severity::cause,
                      fmt::format("h2d: {:.0f} % of the copying runs beside compute, was {:.0f} %", 100 * overlap->now,
                                  100 * overlap->before),
                      "copies overlap only from pinned memory, with non_blocking, on their own stream and into a "
                      "second buffer; a host sync in the step prevents overlap, too.",
                      leading_time(input)});
}

void add_cold_shapes(const JudgedComparison& input, std::vector<Finding>& findings) {
  if (input.current.cold_steps == 0) return;
  findings.push_back({FindingCode::cold_shape, Severity::warning,
                      fmt::format("data_wait: {} of {} timed steps met an input shape never seen before; they are "
                                  "tagged and left out of the times",
                                  input.current.cold_steps, input.current.e2e_steps),
                      "let warm-up see every shape (warmup_cap), or pad to fewer lengths.", ""});
}

}  // namespace

std::vector<Finding> explain_input_path(const JudgedComparison& input) {
  std::vector<Finding> findings;
  add_padding(input, findings);
  add_loader(input, findings);
  add_overlap(input, findings);
  add_cold_shapes(input, findings);
  return findings;
}

}  // namespace stepgate
