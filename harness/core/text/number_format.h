// Numbers as a person reads them: "14.3 ms", "1.25 MiB", "+4 B", "2 155", "+1.2 %". ASCII only, never localised.
// They are in core because judge, diagnose and report print the same quantities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/metric_unit.h"

namespace stepgate {

/// "812 ns", "4.13 us", "14.3 ms", "143.2 ms", "2.05 s": three to four significant digits.
std::string duration_text(double ns);

/// "812 B", "1.25 MiB": binary units, three to four significant digits from 1 KiB on.
std::string bytes_text(double bytes);

/// "1 310 724 B": every digit, for two values that differ by less than bytes_text() shows.
std::string exact_bytes_text(std::int64_t bytes);

/// "2 155", "2 155.5": a space between thousands; fractions (means over steps) with up to three digits.
std::string count_text(double count);

/// A relative change: 0.012 -> "+1.2 %", 0.0000031 -> "+0.00031 %", 0 -> "0 %".
std::string change_text(double relative);

/// A size without a sign: 0.073 -> "7.3 %", 7.1 -> "710 %", 0.0000031 -> "0.00031 %".
std::string percent_text(double size);

/// Three significant digits, and every digit before the point: "0.0341", "12.3", "1 234".
std::string figure_text(double value);

/// The bounds of a relative change: "[-2.1 %, +10.7 %]".
std::string interval_text(double lower, double upper);

/// "1 case", "2 155 cases", "0 processes". `many` only where it is not `one` with an "s".
std::string counted(std::int64_t count, std::string_view one, std::string_view many = {});
inline std::string counted(std::size_t count, std::string_view one, std::string_view many = {}) {
  return counted(static_cast<std::int64_t>(count), one, many);
}
inline std::string counted(int count, std::string_view one, std::string_view many = {}) {
  return counted(std::int64_t{count}, one, many);
}

/// A share of a whole: 0.1234 -> "12.3 %".
std::string share_text(double share);

/// A value of a metric by its unit.
std::string quantity_text(MetricUnit unit, double value);

/// Two values of one unit. If they differ but look the same, both have every digit: "4 095 B" and "4 096 B".
struct TwoQuantities {
  std::string first;
  std::string second;
};
TwoQuantities two_quantities(MetricUnit unit, double first, double second);

/// A difference with its sign: "+4 B" (exact below 10 KiB, where single bytes matter), "-1.25 MiB",
/// "+4.13 ms", "+1".
std::string difference_text(MetricUnit unit, double difference);

}  // namespace stepgate
