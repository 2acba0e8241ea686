#include "cli/options/groups/documents.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "report/exports/export_formats.h"

namespace stepgate {
namespace {

/// Commands that judge have no other use for a history.
void need_a_page_to_draw_on(const ReportOutput& o, std::string_view command) {
  if (!o.html.empty()) return;
  throw Error(ErrorKind::usage,
              fmt::format("--history of {} is drawn on the report page, and none was asked for", command),
              "add --html FILE");
}

/// Refused before anything is measured.
void need_known_formats(const std::vector<std::string>& exports) {
  for (const std::string& text : exports) export_request(text);
}

}  // namespace

OptionRow json_row(bool& json) {
  return {Topic::output, "json", "", "", "print the document for programs instead of the table", switch_on(json)};
}

OptionRow html_row(std::filesystem::path& html) {
  return {Topic::output,
          "html",
          "FILE",
          "",
          "also write the report page: one file for a browser, without script",
          path_into(html, "a file")};
}

OptionRow history_row(std::filesystem::path& history) {
  return {Topic::history,
          "history",
          "DIR",
          "STEPGATE_HISTORY_DIR",
          "folder of the history (default of the history commands: history); elsewhere --html draws it on the page",
          path_into(history, "a folder")};
}

OptionRows rows_of(ReportOutput& o, std::string_view command) {
  OptionRow history = history_row(o.history);
  history.needs = {[&o, command] { need_a_page_to_draw_on(o, command); }};
  return {
      std::move(history),
      json_row(o.json),
      {Topic::output, "markdown", "FILE", "", "also write the summary for a pull request",
       path_into(o.markdown, "a file")},
      {Topic::output, "junit", "FILE", "", "also write JUnit XML", path_into(o.junit, "a file")},
      html_row(o.html),
      {Topic::output,
       "export",
       "FORMAT=FILE",
       "",
       "also write the run for another tool (docs/exports.md); may be repeated",
       texts_into(o.exports, "a format and a file, e.g. openmetrics=metrics.txt"),
       {[&o] { need_known_formats(o.exports); }}},
      {Topic::output, "github", "", "", "also print annotations, and append the summary to $GITHUB_STEP_SUMMARY",
       switch_on(o.github)},
  };
}

OptionRows rows_of(StudyOutput& o) {
  return joined(
      {{json_row(o.json), html_row(o.html), verbose_row(o.style), quiet_row(o.quiet)}, rows_of(o.style.table)});
}

void refuse_page() {
  throw Error(ErrorKind::usage, "--html: there is no page for a law, a trace or the difference of two profiles",
              "leave out --html; these results are printed");
}

}  // namespace stepgate
