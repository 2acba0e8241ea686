#include "report/exports/csv_text.h"

#include <fmt/format.h>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

std::string csv_field(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : terminal_text(text, false)) {
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
