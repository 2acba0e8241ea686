#include "cli/options/groups/cases.h"

#include <fmt/format.h>

#include "core/error.h"

namespace stepgate {

OptionRow filter_row(std::vector<std::string>& globs) {
  return {Topic::cases,
          "filter",
          "GLOB",
          "",
          "only cases whose name matches, e.g. 'language/*'; may be repeated",
          texts_into(globs, "a pattern, e.g. 'language/*'")};
}

OptionRow tier_row(TierChoice& tier) {
  return {Topic::cases,
          "tier",
          "exact|timed|all",
          "",
          "the exact half (counts, bytes, losses), the timed half, or both (default all)",
          choice_into(tier, "exact|timed|all", tier_choice_named)};
}

std::string one_case(const std::vector<std::string>& arguments, std::string_view command, const char* example) {
  if (arguments.size() == 1) return arguments.front();
  throw Error(ErrorKind::usage, fmt::format("{} takes one case, found {}", command, arguments.size()), example);
}

void refuse_arguments(const std::vector<std::string>& arguments, std::string_view command, const std::string& remedy) {
  if (arguments.empty()) return;
  throw Error(ErrorKind::usage, fmt::format("{} takes no argument, found '{}'", command, arguments.front()), remedy);
}

}  // namespace stepgate
