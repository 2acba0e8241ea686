#include "experiment/background.h"

#include <filesystem>
#include <optional>
#include <string>

#include "baseline/baseline_path.h"
#include "baseline/metric_line.h"
#include "experiment/provenance.h"
#include "stats/summary.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

struct BaselineText {
  std::string shown_path;  ///< relative to the repository where it lies inside it
  std::string text;
};

/// Read again as text: only the file itself knows its lines.
std::optional<BaselineText> baseline_text_of(const Context& context, const Baseline* baseline) {
  if (baseline == nullptr) return std::nullopt;
  const std::string folder = baseline->scope == Scope::portable ? std::string(portable_class) : baseline->runner_class;
  const fs::path file = baseline_path(context.baseline_root, folder, baseline->case_name);
  const auto text = read_text_file_if_present(file, ErrorKind::baseline);
  if (!text) return std::nullopt;
  return BaselineText{path_in_repository(file), *text};
}

std::vector<double> session_medians(const Baseline& baseline, const std::string& metric) {
  std::vector<double> medians;
  for (const Session& session : baseline.sessions) {
    const auto found = session.timed.find(metric);
    if (found != session.timed.end() && !found->second.empty()) medians.push_back(median(found->second));
  }
  return medians;
}

}  // namespace

void add_background(const Context& context, const BothBaselines& baselines, const CaseValues& values,
                    Outcome& outcome) {
  const auto portable = baseline_text_of(context, baselines.portable);
  const auto runner = baseline_text_of(context, baselines.runner);
  for (const MetricVerdict& verdict : outcome.verdict.metrics) {
    const bool is_portable = verdict.scope == Scope::portable;
    const auto& file = is_portable ? portable : runner;
    if (!file) continue;
    const auto now = values.timed.find(verdict.metric);
    outcome.backgrounds.push_back(
        {.metric = verdict.metric,
         .scope = verdict.scope,
         .sessions = session_medians(is_portable ? *baselines.portable : *baselines.runner, verdict.metric),
         .now = now == values.timed.end() ? std::vector<double>{} : now->second,
         .baseline_path = file->shown_path,
         .baseline_line = line_of_metric(file->text, verdict.metric).value_or(0)});
  }
}

}  // namespace stepgate
