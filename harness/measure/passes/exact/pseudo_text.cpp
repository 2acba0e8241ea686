#include "measure/passes/exact/pseudo_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "system/descriptor.h"

namespace stepgate {

bool read_pseudo_file(const std::filesystem::path& path, std::string& text) {
  text.clear();
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return false;
  char piece[8192];
  for (;;) {
    const ssize_t got = ::read(file.number(), piece, sizeof piece);
    if (got < 0) return false;
    if (got == 0) return true;
    text.append(piece, static_cast<std::size_t>(got));
  }
}

std::optional<std::int64_t> number_after(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(key)) continue;
    line.remove_prefix(std::min(line.find_first_of("0123456789", key.size()), line.size()));
    std::int64_t number = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), number).ec != std::errc{}) return std::nullopt;
    return number;
  }
  return std::nullopt;
}

}  // namespace stepgate
