#include "report/baselines/baseline_diff_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"

namespace stepgate {
namespace {

struct DiffCells {
  std::string metric;
  std::string before;
  std::string after;
  std::string change;
  std::string since_anchor;
};

/// How many operators of a boundary are named; the files have the rest.
constexpr std::size_t shown_operators = 12;

std::string difference_cell(const BaselineDiffRow& row, const Metric* metric) {
  if (!row.before) return "new";
  if (!row.after) return "gone";
  const double difference = *row.after - *row.before;
  if (difference == 0) return row.moved ? "same mean, other values" : "0";
  const bool whole = metric != nullptr && (metric->tier == Tier::exact || metric->tier == Tier::bytes);
  if (!whole) return row.change ? change_text(*row.change) : "-";
  const std::string text = difference_text(metric->unit, difference);
  return row.change ? fmt::format("{} ({})", text, change_text(*row.change)) : text;
}

DiffCells cells_of(const BaselineDiffRow& row, const ConsolePage& page) {
  const Metric* metric = find_metric(row.metric);
  const MetricUnit unit = metric == nullptr ? MetricUnit::none : metric->unit;
  const auto value = [&](const std::optional<double>& number) {
    return number ? quantity_text(unit, *number) : std::string("-");
  };
  DiffCells cells{.metric = page.clean(label_of(row.metric)),
                  .before = value(row.before),
                  .after = value(row.after),
                  .change = difference_cell(row, metric),
                  .since_anchor = row.since_anchor ? change_text(*row.since_anchor) : "-"};
  if (row.before && row.after && unit == MetricUnit::bytes) {
    TwoQuantities texts = two_quantities(unit, *row.before, *row.after);
    cells.before = std::move(texts.first);
    cells.after = std::move(texts.second);
  }
  return cells;
}

void add_rows(const BaselineDiff& diff, ConsolePage& page) {
  std::vector<DiffCells> rows = {{"metric", "committed", "pending", "change", "since anchor"}};
  std::size_t unchanged = 0;
  for (const BaselineDiffRow& row : diff.rows) {
    if (row.moved || page.style().verbose || diff.first) {
      rows.push_back(cells_of(row, page));
    } else {
      ++unchanged;
    }
  }
  DiffCells widest;
  const auto widen = [](std::string& blank, const std::string& text) {
    blank.resize(std::max(blank.size(), columns(text)), ' ');
  };
  for (DiffCells& row : rows) {
    row.metric = shortened(row.metric, 32, page.style().ascii);
    widen(widest.metric, row.metric);
    widen(widest.before, row.before);
    widen(widest.after, row.after);
    widen(widest.change, row.change);
  }
  for (const DiffCells& row : rows) {
    if (rows.size() == 1) break;
    page.line(fmt::format("  {}  {}  {}  {}  {}", padded_right(row.metric, widest.metric.size()),
                          padded_left(row.before, widest.before.size()), padded_left(row.after, widest.after.size()),
                          padded_right(row.change, widest.change.size()), row.since_anchor));
  }
  if (unchanged > 0) page.paragraph("rest", fmt::format("unchanged: {}", unchanged));
}

void add_operators(const BaselineDiff& diff, ConsolePage& page) {
  if (diff.first) return;  // every operator would be new
  for (std::size_t begin = 0; begin < diff.operators.size();) {
    std::size_t end = begin;
    while (end < diff.operators.size() && diff.operators[end].boundary == diff.operators[begin].boundary) ++end;
    std::string text;
    const std::size_t last = page.style().verbose ? end : std::min(end, begin + shown_operators);
    for (std::size_t i = begin; i < last; ++i) {
      const OperatorChange& change = diff.operators[i];
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", difference_text(MetricUnit::count, change.difference()),
                          change.name);
    }
    if (last < end) text += fmt::format(" and {} more", end - last);
    page.paragraph("operators", fmt::format("{}: {} per step", diff.operators[begin].boundary, text));
    begin = end;
  }
}

void add_diff(const BaselineDiff& diff, ConsolePage& page) {
  page.line(page.clean(fmt::format("{} ({})", diff.case_name, diff.runner_class)));
  if (diff.first) page.paragraph("first", "nothing is committed for this case and runner class yet");
  page.paragraph("committed", diff.committed_by);
  page.paragraph("anchor", diff.anchor_from);
  add_rows(diff, page);
  add_operators(diff, page);
  for (const FingerprintMismatch& fact : diff.key_facts) {
    const std::string found = fact.found.empty() ? "(unknown)" : fact.found;
    page.paragraph("key", fmt::format("{} was {}, is {}", fact.key, fact.expected, found));
  }
  if (diff.sessions_after > 0) {
    page.paragraph("sessions", fmt::format("{} stored, {} pending", diff.sessions_before, diff.sessions_after));
  }
}

}  // namespace

std::string render_baseline_diffs(const std::vector<BaselineDiff>& diffs, const ConsoleStyle& style) {
  ConsolePage page(style);
  const auto moved = std::count_if(diffs.begin(), diffs.end(), [](const BaselineDiff& diff) {
    return diff.first || !diff.key_facts.empty() || !diff.operators.empty() ||
           std::any_of(diff.rows.begin(), diff.rows.end(), [](const BaselineDiffRow& row) { return row.moved; });
  });
  page.line(diffs.empty() ? "no pending baselines"
                          : fmt::format("{} of {} change something", moved, counted(diffs.size(), "pending baseline")));
  for (const BaselineDiff& diff : diffs) {
    page.blank();
    add_diff(diff, page);
  }
  return page.text();
}

}  // namespace stepgate
