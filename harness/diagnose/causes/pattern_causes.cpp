#include <fmt/format.h>

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/calls/call_history.h"
#include "diagnose/causes/pattern_fits.h"
#include "diagnose/questions.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

constexpr const char* bytes_touched = "bytes_touched_per_step";

struct Row {
  FindingCode code;
  std::vector<PatternMatch> (*new_ones)(const PatternChange&);
};

// The most telling first. No row: patterns that cost only on a GPU, whose settings no count shows, and
// gradients-zeroed.
constexpr std::array cause_rows = {Row{FindingCode::anomaly_mode, with_new_calls},
                                   Row{FindingCode::eval_mode, with_lost_training},
                                   Row{FindingCode::optimizer_rebuilt, with_new_state},
                                   Row{FindingCode::single_tensor_optimizer, with_split_updates},
                                   Row{FindingCode::conv_bias_before_norm, with_new_parameters},
                                   Row{FindingCode::float64_work, with_new_calls_or_wider},
                                   Row{FindingCode::calls_per_item, with_new_calls},
                                   Row{FindingCode::indexing_loop, outside_item_loops},
                                   Row{FindingCode::attention_written_out, with_new_calls},
                                   Row{FindingCode::expanded_product, with_new_calls},
                                   Row{FindingCode::repeat_for_expand, with_new_calls},
                                   Row{FindingCode::channels_last_lost, with_new_calls},
                                   Row{FindingCode::copy_in_product, with_new_calls},
                                   Row{FindingCode::cast_round_trip, with_new_calls},
                                   Row{FindingCode::copy_after_permute, with_new_calls},
                                   Row{FindingCode::host_made_tensor, with_new_calls}};

/// The innermost line of each match, or the new call of a function that has it.
std::vector<SourceFrame> lines_of(const JudgedComparison& input, const std::vector<PatternMatch>& matches) {
  const ObservedWork& work = *input.current.counts.observed;
  const CallHistory history(work_baseline(input), work);
  std::vector<SourceFrame> lines;
  for (const PatternMatch& match : matches) {
    const NamedFrame named = history.frame_to_name(work.sites[match.site]);
    if (named.frame != nullptr) add_sources({*named.frame}, lines);
  }
  return lines;
}

/// In eval mode the model does other work, and the first loss shows it. Wider tensors need no further operator.
std::string metric_of(const JudgedComparison& input, FindingCode code) {
  if (code == FindingCode::eval_mode && is_red(input, "loss")) return "loss";
  const bool wider_only = code == FindingCode::float64_work && !is_red(input, "operators_per_step");
  return wider_only && is_red(input, bytes_touched) ? bytes_touched : "operators_per_step";
}

Finding finding_on(const JudgedComparison& input, const Pattern& pattern, const std::string& boundary,
                   const std::vector<PatternMatch>& matches) {
  const auto lines = lines_of(input, matches);
  const std::size_t more = matches.size() - 1;
  return {.code = pattern.code,
          .severity = Severity::cause,
          .message = fmt::format("{}: {}{}{}", boundary, matches.front().text, at_sources(lines),
                                 more == 0 ? "" : fmt::format(" ({} alike)", counted(more, "more call"))),
          .advice = std::string(pattern.advice),
          .metric = metric_of(input, pattern.code),
          .boundary = boundary,
          .sources = lines};
}

/// A compiled step and a graph call no operator in forward. Beside such a baseline every pattern of the eager step is
/// new, and none is what changed.
bool baseline_calls_operators(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  return baseline != nullptr && (baseline->operators.empty() || baseline->operators.contains("forward"));
}

}  // namespace

std::vector<Finding> explain_patterns(const JudgedComparison& input) {
  std::vector<Finding> findings;
  if (input.verdict.status != Status::regressed || !input.current.counts.observed) return findings;
  if (!baseline_calls_operators(input)) return findings;
  const ObservedWork& work = *input.current.counts.observed;
  for (const Row& row : cause_rows) {
    const Pattern& pattern = *find_pattern(row.code);
    std::map<std::string, std::vector<PatternMatch>> by_boundary;
    for (PatternMatch& match : row.new_ones({input, work, pattern.find(work)}))
      by_boundary[work.sites[match.site].boundary].push_back(std::move(match));
    for (const auto& [boundary, matches] : by_boundary)
      findings.push_back(finding_on(input, pattern, boundary, matches));
  }
  return findings;
}

}  // namespace stepgate
