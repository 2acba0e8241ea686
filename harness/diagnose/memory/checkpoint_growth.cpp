#include <fmt/format.h>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {

std::vector<Finding> explain_checkpoint(const JudgedComparison& input) {
  constexpr const char* metric = "checkpoint_bytes";
  const auto pair = bytes_pair(input, metric);
  if (!is_red(input, metric) || !pair) return {};
  return {{.code = FindingCode::checkpoint_grew,
           .severity = Severity::cause,
           .message = fmt::format("a checkpoint has {} instead of {}", exact_bytes_text(pair->now),
                                  exact_bytes_text(pair->before)),
           .advice = std::string(find_metric(metric)->advice),
           .metric = metric}};
}

}  // namespace stepgate
