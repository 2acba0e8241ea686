// Times in baselines carry five significant digits: a tenth of the smallest margin that means anything (1 % ignore
// margin, rounding error 0.005 %), and few enough that a diff shows changes and not noise.
#pragma once

namespace stepgate {

inline constexpr int timed_significant_digits = 5;

/// `value` to five significant decimal digits, ties to even of the exact binary value; 0 and non-finite values as they
/// are. Rounding twice is rounding once.
double rounded_for_baseline(double value);

}  // namespace stepgate
