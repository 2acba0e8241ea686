#include "report/baselines/baseline_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/metric.h"
#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"

namespace stepgate {
namespace {

struct ValueCells {
  std::string metric;
  std::string value;
};

std::vector<ValueCells> value_cells(const BaselineDiff& values, const ConsolePage& page) {
  std::vector<ValueCells> rows;
  for (const BaselineDiffRow& row : values.rows) {
    if (!row.after) continue;
    const Metric* metric = find_metric(row.metric);
    rows.push_back({page.clean(label_of(row.metric)),
                    quantity_text(metric == nullptr ? MetricUnit::none : metric->unit, *row.after)});
  }
  return rows;
}

void add_values(const BaselineDiff& values, ConsolePage& page) {
  const auto rows = value_cells(values, page);
  std::size_t metric = 0;
  std::size_t value = 0;
  for (const ValueCells& row : rows) {
    metric = std::max(metric, columns(row.metric));
    value = std::max(value, columns(row.value));
  }
  for (const ValueCells& row : rows)
    page.line(fmt::format("  {}  {}", padded_right(row.metric, metric), padded_left(row.value, value)));
}

std::string origin_text(const Provenance& provenance) {
  std::string text = provenance.utc;
  if (!provenance.commit.empty()) text += ", commit " + short_commit(provenance.commit);
  if (!provenance.options.empty()) text += ", " + provenance.options;
  if (!provenance.reason.empty()) text += ": " + provenance.reason;
  return text;
}

}  // namespace

std::string render_baseline(const Baseline& baseline, const BaselineDiff& values, const ConsoleStyle& style) {
  ConsolePage page(style);
  page.line(page.clean(fmt::format("{} ({})", baseline.case_name, file_label(baseline))));
  page.paragraph("accepted", origin_text(baseline.provenance));
  page.paragraph("anchor", values.anchor_from);
  if (!baseline.sessions.empty()) {
    page.paragraph("sessions",
                   fmt::format("{}, the newest of {}", baseline.sessions.size(), baseline.sessions.back().utc));
  }
  std::string key;
  for (const auto& [fact, value] : baseline.key) key += fmt::format("{}{}={}", key.empty() ? "" : ", ", fact, value);
  page.paragraph("key", key);
  add_values(values, page);
  return page.text();
}

}  // namespace stepgate
