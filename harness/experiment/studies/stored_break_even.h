// A stored measurement of a compiled step or a CUDA graph beside one of its eager twin. Nothing is measured.
#pragma once

#include <string>

#include "core/study/break_even.h"
#include "experiment/plan/project.h"

namespace stepgate {

struct BreakEvenOptions {
  std::string case_name;  ///< the one that starts slowly and runs fast
  std::string twin;       ///< another case of the manifest: the same training in LibTorch's operators
};

/// Reads what `run`, `gate` or `ab` left of both below the project's output folder. Throws Error(usage) for a name that
/// is not in the manifest, for one case given twice, and where the timed half of one was not measured, with the
/// command.
BreakEvenStudy stored_break_even(const Project& project, const BreakEvenOptions& options);

}  // namespace stepgate
