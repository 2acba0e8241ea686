#include "cli/options/history_rows.h"

#include <fmt/format.h>

#include "core/error.h"

namespace stepgate {

namespace {

/// Commands that judge have no other use for it.
void need_a_page_to_draw_on(const Options& o) {
  if (o.command.starts_with("history") || !o.html.empty()) return;
  throw Error(ErrorKind::usage,
              fmt::format("--history of {} is drawn on the report page, and none was asked for", o.command),
              "add --html FILE");
}

}  // namespace

// The columns of a row: name, value, variable, commands, help, setter, what it needs of other options.

std::vector<OptionRow> history_rows() {
  return {
      OptionRow{"to", "DIR", "", "history add, history import", "folder of the history (default: history)",
                path_into(&Options::history_to, "a folder")},
      OptionRow{"commit", "ID", "STEPGATE_COMMIT", "history import",
                "what the files measured: an id, or a name that git knows here (default: as the files say)",
                text_into(&Options::commit, "a commit, e.g. 4be1c0f")},
      OptionRow{
          "history", "DIR", "STEPGATE_HISTORY_DIR",
          "history show, history check, history ack, history plot, history export, gate, check, report, ab, merge, "
          "compare",
          "folder of the history (default of the history commands: history); elsewhere --html draws it on the page",
          path_into(&Options::history, "a folder"), need_a_page_to_draw_on},
      OptionRow{"since", "DAY", "", "history show, history plot, history export",
                "leave out what ended before that day; levels are those of the whole history",
                text_into(&Options::since, "a day, e.g. 2026-11-01")},
      OptionRow{"svg", "FILE", "", "history plot", "the file to write", path_into(&Options::svg, "a file")},
      OptionRow{"csv", "FILE", "", "history export", "the file to write", path_into(&Options::csv, "a file")},
  };
}

}  // namespace stepgate
