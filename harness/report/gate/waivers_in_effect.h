// Waivers behind a report: whoever reads a green must see them in every format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/run_report.h"

namespace stepgate {

/// True for a finding that names a waiver.
bool names_waiver(const Finding& finding);

/// How a finding is labelled: "waiver", otherwise its severity.
std::string_view finding_label(const Finding& finding);

/// "operators: waived by grace until 2026-12-31 (...): 2154 -> 2254", one for each waiver of the case that is in
/// effect.
std::vector<std::string> waivers_in_effect(const Outcome& outcome);

}  // namespace stepgate
