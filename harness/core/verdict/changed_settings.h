// Which settings the program changed against what it is compared with.
#pragma once

#include <string>
#include <vector>

#include "core/verdict/comparison.h"

namespace stepgate {

/// Settings of the judged halves, each once. A half that cannot be compared (core/record/fact_kind.h) adds none.
std::vector<FingerprintMismatch> changed_settings(const Comparison& comparison);

/// Switches of LibTorch that no key holds (Baseline::switches) and that the program sets otherwise than before, in the
/// judged halves, each once. They make no red by themselves.
std::vector<FingerprintMismatch> changed_switches(const Comparison& comparison);

/// "the program changed tf32_matmul from off to on".
std::string text_of_changed_settings(const std::vector<FingerprintMismatch>& changed);

}  // namespace stepgate
