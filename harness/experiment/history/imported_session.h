// Files of Google Benchmark, nvbench or pyperf as a session of a history
// (docs/decisions/0019-an-import-becomes-a-session.md, 0049-results-of-other-tools.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/stored/history.h"
#include "experiment/plan/caller.h"

namespace stepgate {

struct BenchmarkImport {
  std::vector<std::filesystem::path> files;   ///< JSON of the tools (read_benchmark_files())
  std::string commit;                         ///< what they were measured of: an id, or a name that git knows; "" = as
                                              ///< the files say (--benchmark_context=commit=ID)
  std::string runner_class = "local";         ///< "local": machines of other names are other epochs
  std::optional<std::int64_t> sequence = {};  ///< a number that rises with each commit
};

/// Notices name the benchmarks and counters that are left out, each with its reason. Throws as import_to_history()
/// says.
HistorySession imported_session(const BenchmarkImport& import, const Observer& observer);

}  // namespace stepgate
