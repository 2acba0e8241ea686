// A case as the reports for people name it.
#pragma once

#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

/// "exact", "exact, emulated H100": the half of the gate, and the GPU where it is an emulated one. "" for the whole
/// gate of a real machine. Texts of programs are in it.
std::string case_qualifier(const Outcome& outcome);

/// "vision/mlp/wide (timed)"; the bare name where there is no qualifier.
std::string case_title(const Outcome& outcome);

}  // namespace stepgate
