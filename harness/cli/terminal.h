// What an experiment tells while it runs, on the terminal and in files beside verdict.json.
#pragma once

#include <cstdio>

#include "cli/command_texts.h"
#include "cli/options/groups/repeated_options.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// Progress as one status line on stderr, only where that is a terminal and `quiet` is false; notices on stderr;
/// the other formats of a report beside each verdict.json.
Observer terminal_observer(bool quiet);

/// The observer, the commands, and the signals that are watched for from now on.
Caller terminal_caller(bool quiet, const RepeatedOptions& repeated, const Project& project);

/// Removes the status line before something else is printed.
void clear_progress_line(bool quiet);

/// The notice, and what to do next. On stderr the program's name comes first.
void print_notice(std::FILE* to, const Notice& notice);

}  // namespace stepgate
