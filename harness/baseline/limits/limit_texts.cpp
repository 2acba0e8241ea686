#include "baseline/limits/limit_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace stepgate {
namespace {

constexpr std::size_t most_named_cases = 3;

}  // namespace

std::string limit_text(double value) { return std::isinf(value) ? "none" : fmt::format("{}", value); }

std::string cases_text(const std::vector<std::string>& cases) {
  if (cases.empty()) return "";
  if (cases.size() == 1) return "in " + cases.front();
  const auto end = cases.begin() + static_cast<std::ptrdiff_t>(std::min(cases.size(), most_named_cases));
  return fmt::format("in {} cases: {}{}", cases.size(), fmt::join(cases.begin(), end, ", "),
                     cases.size() > most_named_cases ? ", ..." : "");
}

}  // namespace stepgate
