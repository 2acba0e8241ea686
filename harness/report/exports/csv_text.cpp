#include "report/exports/csv_text.h"

#include <fmt/format.h>

#include <string_view>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

/// A spreadsheet takes a text that begins like this for a formula, also within quotes, and runs it.
bool looks_like_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos;
}

std::string csv_field(const std::string& text) {
  const std::string plain = terminal_text(text, false);
  std::string quoted = looks_like_formula(plain) ? "\"'" : "\"";
  for (const char letter : plain) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

}  // namespace

std::string csv_text(const ExportedRun& run) {
  std::string header = "time,commit";
  std::string row = csv_field(run.utc) + "," + csv_field(run.commit);
  for (const ExportedSeries& series : run.series) {
    header += "," + csv_field(series.label());
    row += fmt::format(",{}", series.value);
  }
  return header + "\n" + row + "\n";
}

}  // namespace stepgate
