// `stepgate report --ledger` and `--timeline FILE`: what the last memory pass of a case saw.
#pragma once

#include "cli/options/options.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Prints the ledger of each case named (of all, where none is), beside its baseline's. Writes the timeline of the one
/// case named to the file of --timeline; "-" is stdout. Throws Error(usage) where no stored measurement has a ledger,
/// and where --timeline is left with several cases.
int show_memory(const Options& options, const Project& project);

}  // namespace stepgate
