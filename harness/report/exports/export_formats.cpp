#include "report/exports/export_formats.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text/excerpt.h"
#include "json/exports/sarif_json.h"
#include "json/exports/series_documents.h"
#include "report/ci/junit_report.h"
#include "report/exports/csv_text.h"
#include "report/exports/exported_run.h"
#include "report/exports/openmetrics_text.h"

namespace stepgate {
namespace {

template <std::string (*render)(const ExportedRun&)>
std::string of_series(const RunReport& report) {
  return render(exported_run(report));
}

template <Direction direction>
std::string of_github_action(const RunReport& report) {
  return github_action_text(exported_run(report), direction);
}

constexpr ExportFormat formats[] = {
    {"openmetrics", of_series<openmetrics_text>},
    {"google-benchmark", of_series<google_benchmark_text>},
    {"junit", [](const RunReport& report) { return render_junit(report, {}); }},
    {"pyperf", of_series<pyperf_text>},
    {"csv", of_series<csv_text>},
    {"pytorch", of_series<pytorch_text>},
    {"sarif", sarif_text},
    {"bencher", of_series<bencher_text>},
    {"github-action-smaller", of_github_action<Direction::lower_is_better>},
    {"github-action-bigger", of_github_action<Direction::higher_is_better>},
};

}  // namespace

std::span<const ExportFormat> export_formats() { return formats; }

ExportRequest export_request(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const auto found = std::ranges::find(formats, name, &ExportFormat::name);
  if (found != std::end(formats) && equals != std::string_view::npos && equals + 1 < text.size())
    return {.format = found, .file = std::filesystem::path(text.substr(equals + 1))};
  std::string names;
  for (const ExportFormat& format : formats) names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  throw Error(ErrorKind::usage,
              fmt::format("--export {}: a known format and a file are needed", excerpt(std::string(text))),
              "write FORMAT=FILE with one of: " + names);
}

}  // namespace stepgate
