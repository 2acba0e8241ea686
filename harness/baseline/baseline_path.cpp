#include "baseline/baseline_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace stepgate {
namespace {

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool is_runner_class(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_lower_or_digit(c) || c == '_' || c == '-'; });
}

/// [a-z0-9_]+(/[a-z0-9_]+)+
bool is_case_name(std::string_view name) {
  std::size_t parts = 0;
  std::size_t length = 0;  // of the current part
  for (char c : name) {
    if (c == '/') {
      if (length == 0) return false;
      ++parts;
      length = 0;
    } else if (is_lower_or_digit(c) || c == '_') {
      ++length;
    } else {
      return false;
    }
  }
  return parts >= 1 && length > 0;
}

}  // namespace

std::filesystem::path baseline_path(const std::filesystem::path& root, const std::string& runner_class,
                                    const std::string& case_name) {
  if (!is_runner_class(runner_class)) {
    throw Error(ErrorKind::usage, fmt::format("runner class '{}' is not of the form [a-z0-9_-]+", runner_class),
                "choose a name for this kind of machine, e.g. --runner-class h200-16c");
  }
  if (!is_case_name(case_name)) {
    throw Error(ErrorKind::usage, fmt::format("case name '{}' is not of the form [a-z0-9_]+(/[a-z0-9_]+)+", case_name),
                "name cases like language/char_lm/tiny; 'stepgate list' shows those of this build");
  }
  return root / runner_class / (case_name + ".json");
}

}  // namespace stepgate
