#include "report/gate/memory_ledger_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/text/number_format.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"

namespace stepgate {
namespace {

struct LedgerRow {
  std::string kind;
  std::int64_t current = 0;
  std::int64_t baseline = 0;
};

std::int64_t bytes_of(const MemoryLedger* ledger, const std::string& kind) {
  if (ledger == nullptr) return 0;
  const auto at = ledger->bytes.find(kind);
  return at == ledger->bytes.end() ? 0 : at->second;
}

std::vector<LedgerRow> rows_of(const LedgerView& view) {
  std::set<std::string> kinds;
  for (const auto& [kind, bytes] : view.current.bytes) kinds.insert(kind);
  if (view.baseline != nullptr) {
    for (const auto& [kind, bytes] : view.baseline->bytes) kinds.insert(kind);
  }
  std::vector<LedgerRow> rows;
  for (const std::string& kind : kinds) {
    rows.push_back({kind, bytes_of(&view.current, kind), bytes_of(view.baseline, kind)});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const LedgerRow& a, const LedgerRow& b) { return a.current > b.current; });
  return rows;
}

std::int64_t sum_of(const MemoryLedger& ledger) {
  std::int64_t sum = 0;
  for (const auto& [kind, bytes] : ledger.bytes) sum += bytes;
  return sum;
}

std::string share_of(std::int64_t part, std::int64_t whole) {
  return whole <= 0 ? "" : share_text(static_cast<double>(part) / static_cast<double>(whole));
}

/// The columns of one line; the last two are empty without a baseline.
struct LedgerLine {
  std::string kind;
  std::string bytes;
  std::string share;
  std::string baseline;
  std::string change;
};

std::string text_of(const LedgerLine& line) {
  return fmt::format("  {:<16} {:>11} {:>8}  {:>11} {:>11}", line.kind, line.bytes, line.share, line.baseline,
                     line.change);
}

LedgerLine line_of(const LedgerRow& row, const LedgerView& view) {
  LedgerLine line{row.kind, bytes_text(static_cast<double>(row.current)),
                  share_of(row.current, view.current.peak_bytes), "", ""};
  if (view.baseline == nullptr) return line;
  line.baseline = bytes_text(static_cast<double>(row.baseline));
  const std::int64_t change = row.current - row.baseline;
  line.change = change == 0 ? "=" : difference_text(MetricUnit::bytes, static_cast<double>(change));
  return line;
}

}  // namespace

std::string render_ledger(const LedgerView& view, const ConsoleStyle& style) {
  ConsolePage page(style);
  const MemoryLedger& ledger = view.current;
  page.line(page.clean(fmt::format("{}{}peak {} in {} of step {}", view.case_name, page.separator(),
                                   bytes_text(static_cast<double>(ledger.peak_bytes)), ledger.boundary, ledger.step)));
  const bool compared = view.baseline != nullptr;
  page.line(text_of({"kind", "bytes", "share", compared ? "baseline" : "", compared ? "change" : ""}));
  for (const LedgerRow& row : rows_of(view)) page.line(page.clean(text_of(line_of(row, view))));
  const LedgerRow total{"sum", sum_of(ledger), compared ? sum_of(*view.baseline) : 0};
  page.line(text_of(line_of(total, view)));
  if (ledger.fragmentation_bytes) {
    page.line(fmt::format("  {:<16} {:>11}           reserved on top of the peak, but unused", "fragmentation",
                          bytes_text(static_cast<double>(*ledger.fragmentation_bytes))));
  }
  page.line(fmt::format("  {} added up, {} by the allocator's own count", exact_bytes_text(sum_of(ledger)),
                        exact_bytes_text(ledger.peak_bytes)));
  return page.text();
}

}  // namespace stepgate
