#include "experiment/studies/profiled/profile_traces.h"

#include <system_error>

#include "system/files/trace_cycles.h"

namespace stepgate {

namespace fs = std::filesystem;

void remove_older_traces(const fs::path& folder) {
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, missing)) {
    std::error_code kept;
    if (entry.path().filename().string().ends_with(".json.gz")) fs::remove(entry.path(), kept);
  }
}

std::vector<fs::path> traces_of(const fs::path& first) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (fs::path file = first; fs::exists(file, missing); file = trace_file_of_cycle(first, std::ssize(files))) {
    files.push_back(file);
  }
  return files;
}

}  // namespace stepgate
