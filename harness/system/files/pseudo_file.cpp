#include "system/files/pseudo_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "system/descriptor.h"

namespace stepgate {
namespace {

constexpr std::string_view white_space = " \t\n\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white_space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  std::size_t at = text.find_first_not_of(separators);
  while (at != std::string_view::npos) {
    const std::size_t end = text.find_first_of(separators, at);
    parts.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(separators, end);
  }
  return parts;
}

}  // namespace

bool read_to_end(const std::filesystem::path& path, std::string& text) {
  text.clear();
  const Descriptor file(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
  if (!file.is_open()) return false;
  char piece[8192];
  for (;;) {
    const ssize_t got = ::read(file.number(), piece, sizeof piece);
    if (got == 0) return true;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    text.append(piece, static_cast<std::size_t>(got));
  }
}

std::optional<std::string> read_pseudo_file(const std::filesystem::path& path) {
  std::string text;
  if (!read_to_end(path, text)) return std::nullopt;
  text.erase(text.find_last_not_of(white_space) + 1);
  return text;
}

std::optional<std::int64_t> read_pseudo_number(const std::filesystem::path& path) {
  const auto text = read_pseudo_file(path);
  return text ? integer_from(*text) : std::nullopt;
}

std::optional<std::int64_t> integer_from(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::string> value_after(std::string_view text, std::string_view key) {
  for (std::string_view line : lines_of(text)) {
    if (!line.starts_with(key)) continue;
    std::string_view rest = line.substr(key.size());
    if (rest.empty() || (rest.front() != ':' && rest.front() != ' ' && rest.front() != '\t')) continue;
    rest = trimmed(rest);
    if (rest.starts_with(':')) rest.remove_prefix(1);
    return std::string(trimmed(rest));
  }
  return std::nullopt;
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

std::vector<std::string_view> words_of(std::string_view text) { return split(text, white_space); }

std::vector<std::string_view> lines_of(std::string_view text) { return split(text, "\n"); }

bool has_word(std::string_view text, std::string_view word) {
  const auto words = words_of(text);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace stepgate
