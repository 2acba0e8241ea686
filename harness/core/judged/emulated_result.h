// Which emulated GPU is behind a verdict? Each report, page, comment and export says so.
#pragma once

#include <string>
#include <string_view>

#include "core/verdict/run_report.h"

namespace stepgate {

/// The page on what a verdict of an emulated GPU proves, as reports name it.
inline constexpr std::string_view emulated_green_page = "docs/emulated_green.md";

/// "emulated H100"; "" where a real machine was measured, and where no process came so far as to say.
std::string emulated_gpu_of(const Outcome& outcome);

/// The same for a whole report: by its runner class, else by the first case that has one.
std::string emulated_gpu_of(const RunReport& report);

/// "emulated H100: counts and bytes, no times. What a green proves: docs/emulated_green.md"; "" without one.
std::string emulated_sentence(const RunReport& report);

/// The same of a name: "emulated H100"; "" for "".
std::string emulated_sentence(const std::string& gpu);

/// The name under which other tools keep the values of a case: "vision/mlp/tiny (emulated H100)", so that they are
/// never added to those of a real GPU. A case whose processes failed has no facts, and its name is the same: by the
/// runner class of the report. Without an emulated GPU it is the name of the case.
std::string exported_case_name(const RunReport& report, const Outcome& outcome);

}  // namespace stepgate
