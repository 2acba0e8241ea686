#include "judge/rules/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace stepgate {
namespace {

std::string duration(double ns) {
  const double magnitude = std::abs(ns);
  if (magnitude >= 1e9) return fmt::format("{:.4g} s", ns / 1e9);
  if (magnitude >= 1e6) return fmt::format("{:.4g} ms", ns / 1e6);
  if (magnitude >= 1e3) return fmt::format("{:.4g} us", ns / 1e3);
  return fmt::format("{:.4g} ns", ns);
}

}  // namespace

std::string percent(double relative) {
  const double value = relative * 100;
  if (!std::isfinite(value)) return "unbounded";
  if (value == 0) return "0 %";
  if (std::abs(value) >= 1) return fmt::format("{:+.1f} %", value);
  return fmt::format("{:+.2g} %", value);
}

std::string bounds(const Interval& interval) {
  return fmt::format("[{}, {}]", percent(interval.lower), percent(interval.upper));
}

std::string amount(double value, std::string_view unit) {
  if (unit == "ns") return duration(value);
  const bool whole = value == std::round(value) && std::abs(value) < 1e15;
  const std::string number = whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
  if (unit.empty() || unit == "count" || unit == "ratio") return number;
  return fmt::format("{} {}", number, unit);
}

std::string signed_count(std::int64_t value) { return fmt::format("{:+d}", value); }

}  // namespace stepgate
