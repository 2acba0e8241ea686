#include "system/output_tail.h"

#include <algorithm>
#include <fstream>

namespace stepgate {
namespace {

constexpr std::streamoff most_bytes = std::streamoff{16} * 1024;

std::string last_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return "";
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - most_bytes));
  std::string text(static_cast<std::size_t>(std::min(size, most_bytes)), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

bool is_plain(char c) { return c == '\n' || c == '\t' || (c >= ' ' && c <= '~'); }

}  // namespace

std::string output_tail(const std::filesystem::path& path, std::size_t lines) {
  std::string text = last_bytes(path);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return !is_plain(c); }, '?');
  text.erase(text.find_last_not_of('\n') + 1);
  std::size_t start = text.size();
  for (std::size_t kept = 0; start > 0; --start) {
    if (text[start - 1] == '\n' && ++kept == lines) break;
  }
  return text.substr(start);
}

}  // namespace stepgate
