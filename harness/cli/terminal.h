// What an experiment tells while it runs, on the terminal and in files beside verdict.json.
#pragma once

#include <cstdio>

#include "cli/command_texts.h"
#include "cli/options/options.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// Progress as one status line on stderr, only where that is a terminal and --quiet was not given; notices on stderr;
/// the other formats of a report beside each verdict.json.
Observer terminal_observer(const Options& options);

/// The observer, the commands, and the signals that are watched for from now on.
Caller terminal_caller(const Options& options, const Project& project);

/// Removes the status line before something else is printed.
void clear_progress_line(const Options& options);

/// The notice, and what to do next. On stderr it says who speaks.
void print_notice(std::FILE* to, const Notice& notice);

}  // namespace stepgate
