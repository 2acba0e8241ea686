// How often the range rule is wrong: "regressed if every new value lies above every old one".
#pragma once

#include <cstdint>

namespace stepgate {

/// 1 / C(current + baseline, current): the probability that all `current` values exceed all `baseline` values where
/// both come from one continuous distribution (exchangeable; ties only lower it). The smallest attainable p of
/// Wilcoxon's rank-sum test (Wilcoxon, Biometrics Bulletin 1 (1945)).
/// Throws std::domain_error unless both counts are at least 1.
double range_rule_false_alarm(std::int64_t current, std::int64_t baseline);

}  // namespace stepgate
