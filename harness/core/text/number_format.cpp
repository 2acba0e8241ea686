#include "core/text/number_format.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace stepgate {
namespace {

std::string fixed(double value, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string significant(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

/// 4.13, 14.3, 143.2: two decimals below ten, one from ten on. Rounds first, so that 9.999 becomes 10.0.
std::string three_digits(double value) { return fixed(value, std::abs(value) < 9.995 ? 2 : 1); }

/// Puts a space before every third digit of the integer part.
std::string grouped(const std::string& digits) {
  const std::size_t begin = digits.starts_with('-') ? 1 : 0;
  const std::size_t point = digits.find('.');
  const std::size_t end = point == std::string::npos ? digits.size() : point;
  std::string text = digits.substr(0, begin);
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin && (end - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text + digits.substr(end);
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

struct Unit {
  double size;
  std::string_view name;
};

/// The largest unit that is not larger than `value` as printed (one decimal).
template <std::size_t N>
std::string in_units(double value, const std::array<Unit, N>& units) {
  for (const Unit& unit : units) {
    const double amount = value / unit.size;
    if (std::abs(amount) >= 0.99995) return three_digits(amount) + ' ' + std::string(unit.name);
  }
  return without_trailing_zeros(fixed(value, 1)) + ' ' + std::string(units.back().name);
}

constexpr std::array<Unit, 4> time_units = {Unit{1e9, "s"}, Unit{1e6, "ms"}, Unit{1e3, "us"}, Unit{1, "ns"}};
constexpr std::array<Unit, 4> energy_units = {Unit{1e3, "kJ"}, Unit{1, "J"}, Unit{1e-3, "mJ"}, Unit{1e-6, "uJ"}};
constexpr double kibi = 1024;
constexpr std::array<Unit, 4> byte_units = {Unit{kibi * kibi * kibi, "GiB"}, Unit{kibi * kibi, "MiB"},
                                            Unit{kibi, "KiB"}, Unit{1, "B"}};

/// A smaller difference of bytes is printed exactly: single buffers of a step are this small.
constexpr double exact_difference_bytes = 10 * kibi;

/// One byte of 10 GiB is 1e-8 %: for smaller shares a fixed number of digits would be too long to read.
constexpr double smallest_percent = 1e-8;

std::string not_finite(double value) {
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "inf" : "-inf";
}

}  // namespace

std::string duration_text(double ns) {
  if (!std::isfinite(ns)) return not_finite(ns);
  if (std::abs(ns) < 1000) return without_trailing_zeros(fixed(ns, 1)) + " ns";
  return in_units(ns, time_units);
}

std::string bytes_text(double bytes) {
  if (!std::isfinite(bytes)) return not_finite(bytes);
  if (std::abs(bytes) < kibi) return without_trailing_zeros(fixed(bytes, 1)) + " B";
  return in_units(bytes, byte_units);
}

std::string exact_bytes_text(std::int64_t bytes) { return grouped(std::to_string(bytes)) + " B"; }

std::string count_text(double count) {
  if (!std::isfinite(count)) return not_finite(count);
  const std::string text = without_trailing_zeros(fixed(count, 3));
  return grouped(text == "-0" ? "0" : text);
}

std::string change_text(double relative) {
  if (!std::isfinite(relative)) return not_finite(relative);
  if (relative == 0) return "0 %";
  return (relative > 0 ? "+" : "-") + percent_text(std::abs(relative));
}

std::string percent_text(double size) {
  if (!std::isfinite(size)) return not_finite(size);
  if (size == 0) return "0 %";
  const double percent = size * 100;
  if (percent < smallest_percent) return significant(percent, 1) + " %";
  // A value that rounds up to the next power of ten gets its two digits there.
  if (percent < 0.95) return fixed(percent, 1 - static_cast<int>(std::floor(std::log10(percent * 1.005)))) + " %";
  return grouped(fixed(percent, percent < 999.95 ? 1 : 0)) + " %";
}

std::string figure_text(double value) {
  if (!std::isfinite(value)) return not_finite(value);
  return std::abs(value) < 99.95 ? significant(value, 3) : grouped(fixed(value, 0));
}

std::string interval_text(double lower, double upper) {
  return "[" + change_text(lower) + ", " + change_text(upper) + "]";
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  std::string text = grouped(std::to_string(count)) + ' ';
  if (count == 1) return text.append(one);
  return many.empty() ? text.append(one) + 's' : text.append(many);
}

std::string share_text(double share) {
  if (!std::isfinite(share)) return not_finite(share);
  return fixed(share * 100, 1) + " %";
}

std::string quantity_text(MetricUnit unit, double value) {
  if (unit == MetricUnit::ns) return duration_text(value);
  if (unit == MetricUnit::bytes) return bytes_text(value);
  if (unit == MetricUnit::count) return count_text(value);
  if (!std::isfinite(value)) return not_finite(value);
  if (unit == MetricUnit::ratio) return fixed(value, 3);
  if (unit == MetricUnit::joule) return in_units(value, energy_units);
  if (unit == MetricUnit::none) return significant(value, 6);
  if (unit == MetricUnit::tflop_per_s) return significant(value, 3) + " TFLOP/s";
  const double shown = std::abs(value) >= 100 ? std::round(value) : std::strtod(significant(value, 3).c_str(), nullptr);
  return count_text(shown) + ' ' + std::string(name_of(unit));
}

TwoQuantities two_quantities(MetricUnit unit, double first, double second) {
  const TwoQuantities rounded{quantity_text(unit, first), quantity_text(unit, second)};
  const bool finite = std::isfinite(first) && std::isfinite(second);
  if (first == second || rounded.first != rounded.second || !finite) return rounded;
  const auto every_digit = [&](double value) {
    if (unit == MetricUnit::bytes) return exact_bytes_text(std::llround(value));
    if (unit == MetricUnit::ratio || unit == MetricUnit::none) return significant(value, 9);
    return count_text(value) + (unit == MetricUnit::count ? "" : ' ' + std::string(name_of(unit)));
  };
  return {every_digit(first), every_digit(second)};
}

std::string difference_text(MetricUnit unit, double difference) {
  const std::string sign = difference > 0 ? "+" : "";
  if (unit == MetricUnit::bytes && std::abs(difference) < exact_difference_bytes && std::isfinite(difference)) {
    return sign + count_text(difference) + " B";
  }
  return sign + quantity_text(unit, difference);
}

}  // namespace stepgate
