// `stepgate history`: results over time. Each function returns the exit status.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/groups/table_style.h"
#include "cli/options/option_row.h"

namespace stepgate {

struct HistoryAddCommand {
  std::vector<std::string> arguments;         ///< folders of results, or measurements
  std::filesystem::path to;                   ///< folder of the history, "" = "history" here
  std::optional<std::int64_t> sequence = {};  ///< a number that rises with each commit
};
OptionRows rows_of(HistoryAddCommand& o);
int command_history_add(const HistoryAddCommand& o);

struct HistoryImportCommand {
  std::vector<std::string> arguments;  ///< files of Google Benchmark, nvbench or pyperf
  std::filesystem::path to;
  std::string commit;  ///< what they measured, "" = as they say
  std::string runner_class = "local";
  std::optional<std::int64_t> sequence = {};
};
OptionRows rows_of(HistoryImportCommand& o);
int command_history_import(const HistoryImportCommand& o);

/// Which part of which history is read.
struct HistoryChoice {
  std::filesystem::path history;  ///< its folder, "" = "history" here
  std::string metric;             ///< "" = all
  std::string since;              ///< first day that is shown, "" = all
};

struct HistoryShowCommand {
  std::vector<std::string> arguments;
  HistoryChoice choice;
  TableStyle style;
};
OptionRows rows_of(HistoryShowCommand& o);
int command_history_show(const HistoryShowCommand& o);

struct HistoryCheckCommand {
  std::vector<std::string> arguments;
  std::filesystem::path history;
  std::string metric;
  bool allow_unjudged = false;  ///< 0 in place of 4
  TableStyle style;
};
OptionRows rows_of(HistoryCheckCommand& o);
int command_history_check(const HistoryCheckCommand& o);

struct HistoryAckCommand {
  std::vector<std::string> arguments;  ///< a series and a commit
  std::filesystem::path history;
  std::string reason;
};
OptionRows rows_of(HistoryAckCommand& o);
int command_history_ack(const HistoryAckCommand& o);

struct HistoryPlotCommand {
  std::vector<std::string> arguments;
  HistoryChoice choice;
  std::filesystem::path svg;
};
OptionRows rows_of(HistoryPlotCommand& o);
int command_history_plot(const HistoryPlotCommand& o);

struct HistoryExportCommand {
  std::vector<std::string> arguments;
  HistoryChoice choice;
  std::filesystem::path csv;
};
OptionRows rows_of(HistoryExportCommand& o);

int command_history_export(const HistoryExportCommand& o);

}  // namespace stepgate
