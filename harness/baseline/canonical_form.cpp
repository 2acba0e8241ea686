#include "baseline/canonical_form.h"

#include <algorithm>
#include <optional>

#include "baseline/baseline_lock.h"
#include "core/error.h"
#include "json/stored/baseline_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

/// Absent if the file does not parse or is canonical already.
std::optional<std::string> better_text(const std::filesystem::path& file) {
  try {
    const std::string text = read_text_file(file, ErrorKind::baseline);
    const std::string canonical = to_text(baseline_from_text(text, file.string()));
    return canonical == text ? std::nullopt : std::optional<std::string>(canonical);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<std::filesystem::path> rewrite_canonical(const std::filesystem::path& root, const std::string& utc) {
  const BaselineLock lock(root, utc);
  std::vector<std::filesystem::path> rewritten;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.is_regular_file() && entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    if (const auto text = better_text(file)) {
      write_file_atomically(file, *text);
      rewritten.push_back(file);
    }
  }
  return rewritten;
}

}  // namespace stepgate
