// `stepgate profile --trace FILE`.
#pragma once

#include <filesystem>

#include "cli/options/groups/documents.h"

namespace stepgate {

/// Prints the account of a trace of PyTorch's profiler: the page, or the document with --json. Needs no project.
int show_trace(const std::filesystem::path& trace, const StudyOutput& output);

}  // namespace stepgate
