// The environment variables of a measured process: those that are pinned, removed and recorded.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "core/plan.h"
#include "environment/process/variables.h"

namespace stepgate {

/// The environment of this process.
Variables own_environment();

/// What the launcher sets for one process of `group`:
/// - threads: OMP_NUM_THREADS, MKL_NUM_THREADS (1 in group exact), OMP_DYNAMIC, MKL_DYNAMIC off;
/// - malloc_policy "tuned": both glibc thresholds. One alone is worse than none (docs/design/measurement.md, "The C
///   allocator");
/// - group exact: instruction set pins, so that counts and losses mean the same on every CPU with AVX2
///   (docs/design/metrics.md, "Portable scope"), and on cuda the workspace that makes cuBLAS deterministic;
/// - visible_gpus: CUDA_VISIBLE_DEVICES; "" leaves the choice as it is.
Variables pinned_variables(const Plan& plan, Group group, const std::string& visible_gpus);

/// True for a variable that sets threads, an allocator, an instruction set, a precision or a synchronisation. No
/// process gets it from the user's environment.
bool changes_a_measurement(std::string_view name);

/// The variables that the process starts with: those of `parent` that programs need (the lists in the .cpp) or that
/// `passed` names, without those that change a measurement, then `pinned`. A user's LD_PRELOAD and LD_LIBRARY_PATH
/// stay: some machines need them to find their libraries. A name of a list that names a secret needs `passed`.
Variables child_environment(const Variables& parent, const Variables& pinned, const std::set<std::string>& passed = {});

/// What goes into a replicate's record: `pinned`, and of `child`, the environment that the process gets, what
/// recorded_variables.h names. A name of that list that names a secret stays out. Nothing else of the user's
/// environment: records become public artefacts.
Variables recorded_variables(const Variables& child, const Variables& pinned);

/// The fact gpu_environment: "NAME=value;NAME=value" of the settings in `child` that change times on a GPU
/// (VariableRole::setting) and that the launcher has not pinned, "default" where there are none.
std::string gpu_environment_fact(const Variables& child, const Variables& pinned);

/// Names of the variables in `child` that load a tool into the process (VariableRole::injection), joined by ", "; ""
/// where there are none.
std::string injected_tools_fact(const Variables& child);

}  // namespace stepgate
