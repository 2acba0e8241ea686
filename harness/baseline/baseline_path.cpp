#include "baseline/baseline_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text/case_name.h"

namespace stepgate {
namespace {

bool is_runner_class(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
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
