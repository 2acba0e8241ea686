// The files of one import, as their tools wrote them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/record/benchmark_output.h"
#include "experiment/plan/caller.h"

namespace stepgate {

struct ImportedFile {
  std::filesystem::path path;
  std::string text;
  BenchmarkFile results;
  std::int64_t unix_s = 0;  ///< when it was measured
};

/// A file that names no time has that of its last change, and a time without a zone is read as UTC: a notice says so.
/// Throws Error(usage), naming the file, where it is no file of a tool that stepgate reads, holds no run, names a time
/// of another form, or has the contents of another one.
std::vector<ImportedFile> read_benchmark_files(const std::vector<std::filesystem::path>& paths,
                                               const Observer& observer);

}  // namespace stepgate
