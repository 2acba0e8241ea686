#include "report/text/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace stepgate {
namespace {

constexpr std::array<std::string_view, 8> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr double least_span = 0.05;  // the default matter margin, docs/design/verdicts.md, "Margins"
constexpr std::size_t most_values = 40;
constexpr std::size_t fewest_values = 3;  // two points are not a history

std::vector<double> newest(const std::vector<double>& values) {
  std::vector<double> finite;
  for (double value : values) {
    if (std::isfinite(value)) finite.push_back(value);
  }
  if (finite.size() > most_values) finite.erase(finite.begin(), finite.end() - most_values);
  return finite;
}

}  // namespace

std::string sparkline(const std::vector<double>& earlier, const std::vector<double>& now) {
  const auto before = newest(earlier);
  const auto after = newest(now);
  std::vector<double> all = before;
  all.insert(all.end(), after.begin(), after.end());
  if (all.size() < fewest_values) return "";
  const auto [lowest, highest] = std::minmax_element(all.begin(), all.end());
  const double span = std::max(*highest - *lowest, std::abs(*lowest) * least_span);
  const auto block = [&, low = *lowest](double value) {
    const double height = span > 0 ? (value - low) / span : 0;
    return blocks[std::min(blocks.size() - 1, static_cast<std::size_t>(height * blocks.size()))];
  };
  std::string text;
  for (double value : before) text += block(value);
  if (!before.empty() && !after.empty()) text += "│";
  for (double value : after) text += block(value);
  return text;
}

}  // namespace stepgate
