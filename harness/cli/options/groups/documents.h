// In which forms a result is printed and written.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/groups/table_style.h"
#include "cli/options/option_row.h"

namespace stepgate {

OptionRow json_row(bool& json);
OptionRow html_row(std::filesystem::path& html);
OptionRow history_row(std::filesystem::path& history);

/// The commands that report verdicts. An empty path: the file is not written.
struct ReportOutput {
  bool json = false;
  std::filesystem::path markdown;
  std::filesystem::path junit;
  std::filesystem::path html;
  std::filesystem::path history;     ///< folder of the history that the page draws
  std::vector<std::string> exports;  ///< FORMAT=FILE, each as it was given
  bool github = false;               ///< annotations on stdout, summary appended to $GITHUB_STEP_SUMMARY
  DetailStyle style;
};
/// Leaves out the rows of the style, which stand at the end.
OptionRows rows_of(ReportOutput& o, std::string_view command);

/// The studies of one case that have a page.
struct StudyOutput {
  bool json = false;
  std::filesystem::path html = {};  ///< "" = none
  bool quiet = false;
  DetailStyle style = {};
};
OptionRows rows_of(StudyOutput& o);
/// Throws Error(usage): what such a command was asked for has no page.
[[noreturn]] void refuse_page();

}  // namespace stepgate
