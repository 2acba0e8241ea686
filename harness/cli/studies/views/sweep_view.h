// What a sweep leaves on stdout and in files, however it was measured.
#pragma once

#include "cli/options/groups/documents.h"
#include "core/study/sweep.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Prints the ranking (--json: the document), writes sweep.svg beside sweep.json, and the page where one was asked for.
/// The exit status: 0 where settings were ranked, else 3; 128 + `interrupted_by` after a signal.
int show_sweep(const StudyOutput& output, const Project& project, const Sweep& sweep, int interrupted_by);

}  // namespace stepgate
