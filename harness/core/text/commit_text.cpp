#include "core/text/commit_text.h"

#include <algorithm>

namespace stepgate {
namespace {

constexpr std::size_t shown_digits = 12;
constexpr std::size_t fewest_digits = 7;  // as many as git shows

}  // namespace

std::string short_commit(std::string_view commit) {
  const std::size_t digits = std::min(commit.find_first_not_of("0123456789abcdef"), commit.size());
  const std::string_view rest = commit.substr(digits);
  if (digits <= shown_digits || !(rest.empty() || rest == "-dirty")) return std::string(commit);
  return std::string(commit.substr(0, shown_digits)) + std::string(rest);
}

bool names_commit(std::string_view text, std::string_view commit) {
  return text == commit || (text.size() >= fewest_digits && commit.starts_with(text));
}

}  // namespace stepgate
