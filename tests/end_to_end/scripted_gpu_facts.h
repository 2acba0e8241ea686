// What the scripted GPU says of itself: the facts that a process on a real GPU records.
#pragma once

#include <stdexcept>

#include "core/record/fingerprint.h"
#include "measure/program/perftest_arguments.h"

namespace stepgate {

/// CUDA_VISIBLE_DEVICES leaves none of the machine's GPUs.
class NoScriptedGpu : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The keys of core/record/fingerprint.h that a CUDA process has, with the step counts of its group.
///
/// STEPGATE_TEST_GPUS="GPU-aa=00000000:01:00.0,GPU-bb=00000000:02:00.0" are the GPUs of the machine, by UUID, with
/// their bus ids; unset: one. gpu_pci_bus_id is that of the first that CUDA_VISIBLE_DEVICES names, by index, UUID or
/// the beginning of a UUID; unset: of the first at all. STEPGATE_TEST_FACTS="gpu_memory_bytes=8589934592,cpu_model="
/// replaces facts; an empty value leaves the fact out. Throws NoScriptedGpu where CUDA_VISIBLE_DEVICES names none of
/// them.
Fingerprint scripted_gpu_facts(const PerftestArguments& arguments, const StepCounts& steps);

}  // namespace stepgate
