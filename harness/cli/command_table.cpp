#include "cli/command_table.h"

#include <algorithm>
#include <array>

#include "cli/commands/command_ab.h"
#include "cli/commands/command_baseline.h"
#include "cli/commands/command_check.h"
#include "cli/commands/command_compare.h"
#include "cli/commands/command_gate.h"
#include "cli/commands/command_list.h"
#include "cli/commands/command_recover.h"
#include "cli/commands/command_report.h"
#include "cli/commands/command_run.h"
#include "cli/studies_program.h"
#include "cli/study_parts.h"

namespace stepgate {
namespace {

/// Its function is in the table of studies/study_calls.cpp, because the gate is built without it.
constexpr StudyCall study = nullptr;

// The columns of a row: name, arguments, summary, task, example, function.
constexpr std::array rows = {
    CommandRow{"init", "[DIR]", "write a new project with one case, ready to build and to gate", Task::start,
               "stepgate init training --own-loop", study},
    CommandRow{"gate", "[CASE...]", "measure cases and judge them against their baselines", Task::measure,
               "stepgate gate language/char_lm/tiny --tier exact", call_of<command_gate>},
    CommandRow{"run", "[CASE...]", "measure only; judge nothing", Task::measure,
               "stepgate run language/char_lm/tiny --tier exact --out before", call_of<command_run>},
    CommandRow{"check", "[MEASUREMENT.json...]", "judge stored measurements against baselines; measure nothing",
               Task::measure, "stepgate check --out before", call_of<command_check>},
    CommandRow{"list", "[CASE...]", "show cases, their devices, and which baselines exist", Task::measure,
               "stepgate list", call_of<command_list>},
    CommandRow{"report", "[CASE...]",
               "show the verdicts of a results folder again, or its memory (--ledger, --timeline)", Task::understand,
               "stepgate report --ledger language/char_lm/tiny", call_of<command_report>},
    CommandRow{"compare", "BEFORE AFTER", "compare two measurements (files, or folders of them) without a baseline",
               Task::understand, "stepgate compare before after", call_of<command_compare>},
    CommandRow{"baseline accept", "[CASE|FILE.json...] --reason TEXT",
               "after review, turn pending files (values that a gate measured) into baselines", Task::baselines,
               "stepgate baseline accept language/char_lm/tiny --reason \"fused optimizer\"",
               call_of<command_baseline_accept>},
    CommandRow{"baseline diff", "[CASE|FILE.json...]", "show what the pending files would change", Task::baselines,
               "stepgate baseline diff", call_of<command_baseline_diff>},
    CommandRow{"baseline lint", "", "check every baseline file", Task::baselines, "stepgate baseline lint",
               call_of<command_baseline_lint>},
    CommandRow{"baseline show", "CASE", "show a stored baseline as a table", Task::baselines,
               "stepgate baseline show language/char_lm/tiny", call_of<command_baseline_show>},
    CommandRow{"history add", "RESULT... --to DIR", "add results of a run to a history, as one file that never changes",
               Task::history, "stepgate history add stepgate-out --to history", study},
    CommandRow{"history import", "FILE... --to DIR --commit ID",
               "add JSON of Google Benchmark, nvbench or pyperf to a history; no gate reads it", Task::history,
               "stepgate history import bench.json --to history --commit 4be1c0f", study},
    CommandRow{"history show", "[CASE]", "show how the metrics of cases went over time, and where they changed",
               Task::history, "stepgate history show language/char_lm/tiny --history history", study},
    CommandRow{"history check", "[CASE]",
               "for a nightly job: exit with 1 where a change for the worse is not acknowledged", Task::history,
               "stepgate history check --history history", study},
    CommandRow{"history ack", "SERIES COMMIT --reason TEXT", "acknowledge a change: its new level is right",
               Task::history, "stepgate history ack char_lm:step_time_ns@h200 4be1c0f --reason \"larger vocabulary\"",
               study},
    CommandRow{"history plot", "[CASE] --svg FILE", "draw series over time as SVG", Task::history,
               "stepgate history plot language/char_lm/tiny --svg history.svg", study},
    CommandRow{"history export", "[CASE] --csv FILE", "write series as a table for other programs", Task::history,
               "stepgate history export language/char_lm/tiny --csv history.csv", study},
    CommandRow{"doctor", "[CASE...]",
               "show which settings could reduce noise on this machine, or test its GPU (--device)", Task::machine,
               "stepgate doctor --device", study},
    CommandRow{"ablate", "CASE", "measure how much each setting (knob) reduces the noise of a case on this machine",
               Task::machine, "stepgate ablate language/char_lm/tiny --guard host", study},
    CommandRow{"recover", "", "restore the settings that a killed run with --guard host left changed", Task::machine,
               "sudo stepgate recover", call_of<command_recover>},
    CommandRow{"ab", "[CASE...] --base-build DIR",
               "measure two builds in pairs and judge the head build against the base build", Task::explore,
               "stepgate ab --base-build ../before/build/release --head-build build/release", call_of<command_ab>},
    CommandRow{"plan ab", "[CASE...] --base-build DIR --shards N",
               "plan the same for N machines: a folder that each of them gets", Task::explore,
               "stepgate plan ab --base-build ../before/build/release --shards 4 --out plan", study},
    CommandRow{"plan sweep", "CASE --vary NAME=A,B,... --shards N", "plan a sweep for N machines, in the same way",
               Task::explore, "stepgate plan sweep vision/photo_decode/tiny --vary batch_size=8,16 --shards 4", study},
    CommandRow{"shard run", "PLAN N", "measure share N of a plan on this machine", Task::explore,
               "stepgate shard run plan 2", study},
    CommandRow{"merge", "PLAN", "judge or rank what the machines of a plan have measured", Task::explore,
               "stepgate merge plan", study},
    CommandRow{"sweep", "CASE --vary NAME=A,B,...",
               "measure a case with several parameter values: table, best setting, plot", Task::explore,
               "stepgate sweep vision/photo_decode/tiny --vary loader_workers=0,1,2", study},
    CommandRow{"profile", "CASE", "find out what limits a step, prove it by experiments, and say what a mend would win",
               Task::explore, "stepgate profile language/char_lm/tiny", study},
};

}  // namespace

std::string_view title_of(Task task) {
  switch (task) {
    case Task::start:
      return "Start";
    case Task::measure:
      return "Measure and judge";
    case Task::understand:
      return "Understand a red verdict";
    case Task::baselines:
      return "Baselines";
    case Task::history:
      return "History";
    case Task::machine:
      return "The machine";
    case Task::explore:
      return "Compare builds and explore";
  }
  return "";
}

std::span<const CommandRow> command_table() { return rows; }

bool is_in_this_program(const CommandRow& row) { return row.call != study || study_call(row.name) != nullptr; }

CommandCall begin_call(const CommandRow& row) {
  if (!is_in_this_program(row)) continue_in_studies();
  return row.call == study ? study_call(row.name)() : row.call();
}

bool begins_commands(std::string_view word) {
  return std::any_of(rows.begin(), rows.end(), [&](const CommandRow& row) {
    return row.name.size() > word.size() && row.name.starts_with(word) && row.name[word.size()] == ' ';
  });
}

const CommandRow* find_command(std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const CommandRow& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace stepgate
