#include "experiment/results/baseline_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "baseline/baseline_path.h"
#include "baseline/metric_line.h"
#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "core/text/utc_time.h"
#include "experiment/plan/provenance.h"
#include "stats/summary.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const Project& project, const Baseline& baseline) {
  return baseline_path(project.baseline_root, name_of(baseline));
}

const Baseline* shown_baseline(const Comparison& comparison, TierChoice half) {
  const Baseline* exact = pointer_to(comparison.exact);
  if (half == TierChoice::exact || (half == TierChoice::all && exact != nullptr)) return exact;
  return pointer_to(comparison.runner);
}

struct BaselineLines {
  std::string shown_path;  ///< relative to the repository where it lies inside it
  MetricLines of_metrics;
};

/// Read as text: only the file itself knows its lines.
std::optional<BaselineLines> lines_of_baseline(const Project& project, const Baseline* baseline) {
  if (baseline == nullptr) return std::nullopt;
  const fs::path file = file_of(project, *baseline);
  const auto text = read_text_file_if_present(file, ErrorKind::baseline);
  if (!text) return std::nullopt;
  return BaselineLines{path_in_repository(file), lines_of_metrics(*text)};
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

void add_baseline_facts(const Project& project, const Comparison& comparison, TierChoice half, Outcome& outcome) {
  const Baseline* shown = shown_baseline(comparison, half);
  if (shown == nullptr) return;
  const Provenance& from = shown->provenance;
  outcome.baseline_path = file_of(project, *shown).string();
  outcome.baseline_commit = from.commit;
  outcome.baseline_summary = from.commit.empty() ? "commit unknown" : short_commit(from.commit);
  if (const auto then = unix_seconds(from.utc)) {
    outcome.baseline_age_s = project.start.unix_s - *then;
    outcome.baseline_summary += ", " + age_text(*outcome.baseline_age_s);
  }
  if (const std::size_t sessions = shown->sessions.size(); sessions > 0)
    outcome.baseline_summary += ", " + counted(sessions, "session");
}

void add_metric_backgrounds(const Project& project, const Comparison& comparison, Outcome& outcome) {
  const Baseline* exact = pointer_to(comparison.exact);
  const Baseline* runner = pointer_to(comparison.runner);
  const auto exact_lines = lines_of_baseline(project, exact);
  const auto runner_lines = lines_of_baseline(project, runner);
  for (const MetricVerdict& verdict : outcome.verdict.metrics) {
    const bool timed = verdict.scope == Scope::runner;
    const auto& file = timed ? runner_lines : exact_lines;
    if (!file) continue;
    const auto line = file->of_metrics.find(verdict.metric);
    const auto now = comparison.current.timed.find(verdict.metric);
    outcome.backgrounds.push_back({.metric = verdict.metric,
                                   .scope = verdict.scope,
                                   .sessions = session_medians(timed ? *runner : *exact, verdict.metric),
                                   .now = now == comparison.current.timed.end() ? std::vector<double>{} : now->second,
                                   .baseline_path = file->shown_path,
                                   .baseline_line = line == file->of_metrics.end() ? 0 : line->second});
  }
}

}  // namespace stepgate
