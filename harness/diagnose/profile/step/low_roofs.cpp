#include "diagnose/profile/step/low_roofs.h"

#include <fmt/format.h>

#include <map>

#include "core/study/flop_peak.h"
#include "core/text/number_format.h"
#include "diagnose/profile/step/roofline.h"

namespace stepgate {
namespace {

struct FasterOperator {
  const OperatorRow* row = nullptr;
  double share = most_of_a_roof;  ///< of the roof
};

std::string place_text(const OperatorRow& row) {
  if (!row.at) return "in " + row.site.boundary;
  return row.at->line > 0 ? fmt::format("at {}:{}", row.at->file, row.at->line) : "in " + row.at->function;
}

}  // namespace

std::vector<std::string> low_roofs(const std::vector<OperatorRow>& operators, const MachinePeaks& peaks) {
  std::map<std::string, FasterOperator> fastest;
  for (const OperatorRow& row : operators) {
    const OperatorRoof roof = roof_of(row.site, peaks);
    if (!(row.self_ns > 0) || !(roof.work_ns() > most_of_a_roof * row.self_ns)) continue;
    const double share = roof.work_ns() / row.self_ns;
    FasterOperator& found = fastest[roof.below_ridge() ? "bandwidth" : compute_dtype(row.site) + " peak"];
    if (share > found.share) found = {&row, share};
  }
  std::vector<std::string> texts;
  for (const auto& [peak, faster] : fastest) {
    if (faster.row == nullptr) continue;
    texts.push_back(fmt::format("the measured {} is too low: {} {} reaches {} of it", peak, faster.row->site.name,
                                place_text(*faster.row), share_text(faster.share)));
  }
  return texts;
}

}  // namespace stepgate
