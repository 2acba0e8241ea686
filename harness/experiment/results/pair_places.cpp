#include "experiment/results/pair_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/error.h"
#include "json/stored/shard_plan_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The files that any attempt handed back for this index, the lowest attempt first.
std::vector<fs::path> files_of_pair(const fs::path& folder, std::int64_t index) {
  const std::string prefix = fmt::format("{:03}.", index);
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    if (entry.path().filename().string().starts_with(prefix)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Absent where the file is damaged.
std::optional<NodeResult> node_result_at(const fs::path& file) {
  try {
    return node_result_from_text(read_text_file(file), file.string());
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_same_pair(const NodeResult& result, const MeasuredPair& pair) {
  return result.kind == NodeResultKind::pair && result.index == pair.index && result.base.unix_s == pair.base.unix_s &&
         result.head.unix_s == pair.head.unix_s;
}

}  // namespace

std::string place_of_pair(const Project& project, const fs::path& plan, const std::string& case_name,
                          const MeasuredPair& pair) {
  const std::vector<fs::path> plans = plan.empty()
                                          ? std::vector<fs::path>{project.out / "ab-nodes", project.out.parent_path()}
                                          : std::vector<fs::path>{plan};
  for (const fs::path& folder : plans) {
    for (const fs::path& file : files_of_pair(folder / "pairs" / case_name, pair.index)) {
      const auto result = node_result_at(file);
      if (result && is_same_pair(*result, pair)) return result->place;
    }
  }
  return "";
}

}  // namespace stepgate
