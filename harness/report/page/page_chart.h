// The drawings of a report page: svg elements without a style sheet of their own, each with a title and a sentence that
// gives its numbers to whoever cannot see it. Changes are relative; "+" is worse for every metric.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "core/stored/policy.h"
#include "core/verdict/metric_history.h"
#include "core/verdict/verdict.h"
#include "report/page/chart_name.h"
#include "report/page/page_model.h"

namespace stepgate {

/// A change with its interval, and the margins that it is held against.
struct WorseChange {
  double change = 0;  ///< + is worse
  std::optional<Interval> interval = std::nullopt;
  std::optional<Margins> margins = std::nullopt;
  Tone tone = Tone::plain;
};

/// For a cell of a table: zero, both margins, the interval and the change. What lies beyond twice the matter margin is
/// drawn at the edge.
std::string interval_strip(const ChartName& name, const WorseChange& change);

/// One line of dots, in the order measured: "pairs", "stored sessions", "this run".
struct DotRow {
  std::string label;
  std::vector<double> changes;  ///< + is worse
  bool past = false;            ///< hollow: measured before this run
};

/// Rows of dots on one axis with both margins, and below them the change and its interval.
std::string dot_chart(const ChartName& name, const std::vector<DotRow>& rows, const WorseChange& all);

/// One dot a case: shows whether one case moved or all of them. "" for fewer than two.
struct CaseDot {
  std::string label;
  double change = 0;  ///< + is worse
  Tone tone = Tone::plain;
};
std::string suite_strip(const ChartName& name, const std::vector<CaseDot>& dots);

/// One side of a memory ledger.
struct LedgerBar {
  std::string label;
  MemoryLedger ledger;
};
/// A kind of memory and the class of its colour, in the order of the parts of a bar: largest first.
struct LedgerKind {
  std::string kind;
  std::string style;
};
std::vector<LedgerKind> ledger_kinds(const std::vector<LedgerBar>& bars);
/// Stacked bars on one scale. The table of kinds beside it names the colours.
std::string ledger_bars(const ChartName& name, const std::vector<LedgerBar>& bars);

/// A series beside this run.
struct DrawnHistory {
  const MetricHistory& history;
  std::optional<double> this_run = std::nullopt;  ///< natural units
  Tone tone = Tone::plain;                        ///< tone of this run
};
/// The values in words: points and days, confirmed levels, the newest point, this run.
std::string history_words(const DrawnHistory& drawn);
/// Points with their confirmed levels, and this run as a diamond at the right. "" for fewer than two points.
std::string history_line(const ChartName& name, const DrawnHistory& drawn);
/// The same for a cell of a table: the newest points alone.
std::string history_sparkline(const ChartName& name, const DrawnHistory& drawn);

/// A share of a whole, or a span: bars from the left edge. `worth` is 0 to 1.
struct ShareBar {
  std::string label;
  double share = 0;
  Tone tone = Tone::plain;
};
std::string share_bars(const ChartName& name, const std::vector<ShareBar>& bars);

/// A whole plot of another report (sweep_plot.h, roofline_plot.h) for this page: without its style sheet and
/// background, with ids of its own.
std::string plot_for_page(const ChartName& name, const std::string& svg);

}  // namespace stepgate
