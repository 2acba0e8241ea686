#include "launch/source_tree.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "system/files/file.h"
#include "system/files/regular_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Both paths must be free of links.
bool is_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

std::optional<std::string> source_text(const fs::path& path) {
  // A link that has taken its place since is refused.
  const OpenedFile opened = open_regular_file(path, O_RDONLY | O_NOFOLLOW);
  struct stat found {};
  if (!opened.descriptor.is_open() || ::fstat(opened.descriptor.number(), &found) != 0) return std::nullopt;
  if (static_cast<std::size_t>(found.st_size) > most_source_bytes) return std::nullopt;
  try {
    return read_open_file(opened.descriptor, path, ErrorKind::measure);
  } catch (const Error&) {  // it grew, or the disk failed
    return std::nullopt;
  }
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

fs::path tail_within(const fs::path& path, const fs::path& source_root) {
  const std::string text = path.string();
  std::error_code error;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('/', begin) + 1) {
    const std::string tail = text.substr(begin);
    const std::size_t slash = tail.find('/');
    if (slash == std::string::npos) break;
    if (slash != 0 && fs::is_regular_file(source_root / tail, error)) return tail;
  }
  return {};
}

std::vector<std::string> lines_of_source(const fs::path& file, const fs::path& source_root) {
  std::error_code error;
  const fs::path root = source_root.empty() ? fs::path() : fs::canonical(source_root, error);
  if (root.empty()) return {};
  const fs::path named = file.lexically_normal();
  for (const fs::path& candidate : {source_root / named, source_root / tail_within(named, source_root)}) {
    const fs::path path = fs::canonical(candidate, error);
    if (error || !is_below(path, root)) continue;
    if (const auto text = source_text(path)) return split_lines(*text);
  }
  return {};
}

}  // namespace stepgate
