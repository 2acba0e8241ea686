#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/text/number_format.h"
#include "report/page/chart_frame.h"
#include "report/page/page_chart.h"
#include "report/plot/plot_scale.h"

namespace stepgate {
namespace {

std::int64_t bytes_of_kind(const MemoryLedger& ledger, const std::string& kind) {
  const auto found = ledger.bytes.find(kind);
  return found == ledger.bytes.end() ? 0 : std::max<std::int64_t>(0, found->second);
}

}  // namespace

std::vector<LedgerKind> ledger_kinds(const std::vector<LedgerBar>& bars) {
  std::map<std::string, std::int64_t> most;
  for (const LedgerBar& bar : bars) {
    for (const auto& [kind, bytes] : bar.ledger.bytes) most[kind] = std::max(most[kind], bytes);
  }
  std::vector<LedgerKind> kinds;
  for (const auto& [kind, bytes] : most) kinds.push_back({kind, ""});
  std::stable_sort(kinds.begin(), kinds.end(),
                   [&](const LedgerKind& a, const LedgerKind& b) { return most[a.kind] > most[b.kind]; });
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i].style = series_class(i);
  return kinds;
}

std::string ledger_bars(const ChartName& name, const std::vector<LedgerBar>& bars) {
  constexpr double width = 460;
  constexpr double left = 44;
  constexpr double pitch = 32;
  std::int64_t whole = 1;
  std::string sentence;
  for (const LedgerBar& bar : bars) {
    std::int64_t sum = 0;
    for (const auto& [kind, bytes] : bar.ledger.bytes) sum += bytes_of_kind(bar.ledger, kind);
    whole = std::max({whole, sum, bar.ledger.peak_bytes});
    sentence += fmt::format("{}: {} at the peak. ", bar.label, bytes_text(static_cast<double>(bar.ledger.peak_bytes)));
  }
  ChartFrame frame = open_chart(name, {width, pitch * static_cast<double>(bars.size())}, sentence);
  const PixelScale x{{0, static_cast<double>(whole)}, left, width - 74};
  double y = 0;
  for (const LedgerBar& bar : bars) {
    add_text(frame.svg, {0, y + 18}, "label", bar.label);
    double before = 0;
    for (const LedgerKind& kind : ledger_kinds(bars)) {
      const auto bytes = static_cast<double>(bytes_of_kind(bar.ledger, kind.kind));
      if (bytes <= 0) continue;
      const double from = x.at(before);
      const double to = x.at(before + bytes);
      add_rectangle(frame.svg, {from, y + 3}, {to, y + 25}, ("part " + kind.style).c_str());
      before += bytes;
    }
    add_text(frame.svg, {x.at(before) + 6, y + 18}, "tick", bytes_text(static_cast<double>(bar.ledger.peak_bytes)));
    y += pitch;
  }
  return chart_text(frame);
}

}  // namespace stepgate
