#include "report/history/history_csv.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

/// One line without what a terminal would obey, quoted where a reader would misread it (RFC 4180). A text that a
/// spreadsheet would take for a formula gets an apostrophe.
std::string csv_cell(const std::string& text) {
  const std::string clean = terminal_text(text, false);
  const bool formula = !clean.empty() && std::string("=+-@").find(clean.front()) != std::string::npos;
  const std::string plain = formula ? "'" + clean : clean;
  if (plain.find_first_of(",\"") == std::string::npos) return plain;
  std::string quoted = "\"";
  for (const char letter : plain) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

}  // namespace

std::string render_history_csv(const HistoryReport& report) {
  std::map<std::size_t, std::vector<std::string>> rows;  // session -> cells
  std::string text = "time,commit,class";
  for (std::size_t column = 0; column < report.series.size(); ++column) {
    const HistorySeries& series = report.series[column];
    text += "," + csv_cell(text_of(series.name));
    for (const HistoryEpoch& epoch : series.epochs) {
      for (const HistoryPoint& point : epoch.points) {
        std::vector<std::string>& cells = rows[point.last_session];
        cells.resize(report.series.size());
        cells[column] = fmt::format("{}", point.value);
      }
    }
  }
  text += "\n";
  for (const auto& [session, cells] : rows) {
    const HistorySessionFacts& facts = report.sessions[session];
    text += fmt::format("{},{},{}", csv_cell(facts.utc), csv_cell(facts.commit), csv_cell(facts.runner_class));
    for (const std::string& cell : cells) text += "," + cell;
    text += "\n";
  }
  return text;
}

}  // namespace stepgate
