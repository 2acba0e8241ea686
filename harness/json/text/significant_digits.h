// Times in baselines have five significant digits. The rounding error (0.005 %) is far below the ignore margin (1 %),
// and a diff shows changes instead of noise.
#pragma once

namespace stepgate {

inline constexpr int timed_significant_digits = 5;

/// `value` to five significant decimal digits, ties to even of the exact binary value; 0 and non-finite values do not
/// change. Rounding a rounded value changes nothing.
double rounded_for_baseline(double value);

}  // namespace stepgate
