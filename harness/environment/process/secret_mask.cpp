#include "environment/process/secret_mask.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace stepgate {
namespace {

constexpr std::array<std::string_view, 14> secret_words = {
    "TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "APIKEY",      "API_KEY",
    "JWT",   "COOKIE", "AUTH",  "ACCESS_KEY", "PRIVATE",    "SIGNING_KEY", "SSH_KEY"};

/// Shorter ones are ordinary words, or numbers of a record.
constexpr std::size_t least_bytes = 8;
/// A line of a key has 64; "-----BEGIN" stands in every key.
constexpr std::size_t least_line_bytes = 32;

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

/// "https://user:password@host".
bool is_url_with_password(std::string_view value) {
  const std::size_t begin = value.find("://");
  const std::size_t at = value.find('@');
  return begin != std::string_view::npos && at != std::string_view::npos && begin < at &&
         value.substr(begin + 3, at - begin - 3).find(':') != std::string_view::npos;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

bool names_a_secret(std::string_view name) {
  const std::string upper = upper_case(name);
  return upper.ends_with("_KEY") || upper.ends_with("_PAT") ||
         std::any_of(secret_words.begin(), secret_words.end(),
                     [&](std::string_view word) { return upper.find(word) != std::string::npos; });
}

SecretMask::SecretMask(const Variables& environment) {
  for (const auto& [name, value] : environment) {
    if (value.size() < least_bytes || !(names_a_secret(name) || is_url_with_password(value))) continue;
    // SSH_AUTH_SOCK and the like name a file.
    if (value.front() == '/') continue;
    secrets_.push_back({value, name});
    if (value.find('\n') == std::string::npos) continue;
    std::istringstream lines(value);
    for (std::string line; std::getline(lines, line);) {
      if (line.size() >= least_line_bytes) secrets_.push_back({line, name});
    }
  }
  std::stable_sort(secrets_.begin(), secrets_.end(),
                   [](const Secret& left, const Secret& right) { return left.value.size() > right.value.size(); });
}

std::string SecretMask::masked(std::string text) const {
  for (const Secret& secret : secrets_) replace_all(text, secret.value, "[" + secret.name + "]");
  return text;
}

}  // namespace stepgate
