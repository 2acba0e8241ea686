// NVML's types over the plain ones. Files that define functions of NVML include this and not nvml.h, which renames
// functions to their newest versions unless a switch is set.
#pragma once

#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include <nvml.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "emulator/nvml/nvml_process.h"

namespace stepgate::emulator {

static_assert(static_cast<int>(NvmlOutcome::ok) == NVML_SUCCESS);
static_assert(static_cast<int>(NvmlOutcome::uninitialized) == NVML_ERROR_UNINITIALIZED);
static_assert(static_cast<int>(NvmlOutcome::invalid_argument) == NVML_ERROR_INVALID_ARGUMENT);
static_assert(static_cast<int>(NvmlOutcome::not_supported) == NVML_ERROR_NOT_SUPPORTED);
static_assert(static_cast<int>(NvmlOutcome::no_permission) == NVML_ERROR_NO_PERMISSION);
static_assert(static_cast<int>(NvmlOutcome::not_found) == NVML_ERROR_NOT_FOUND);
static_assert(static_cast<int>(NvmlOutcome::insufficient_size) == NVML_ERROR_INSUFFICIENT_SIZE);
static_assert(static_cast<int>(NvmlOutcome::timeout) == NVML_ERROR_TIMEOUT);
static_assert(static_cast<int>(NvmlOutcome::gpu_is_lost) == NVML_ERROR_GPU_IS_LOST);
static_assert(static_cast<int>(NvmlOutcome::version_mismatch) == NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
static_assert(static_cast<int>(NvmlComputeMode::shared) == NVML_COMPUTEMODE_DEFAULT);
static_assert(static_cast<int>(NvmlComputeMode::prohibited) == NVML_COMPUTEMODE_PROHIBITED);
static_assert(static_cast<int>(NvmlComputeMode::exclusive_process) == NVML_COMPUTEMODE_EXCLUSIVE_PROCESS);

inline nvmlReturn_t code_of(NvmlOutcome outcome) { return static_cast<nvmlReturn_t>(outcome); }
inline std::uintptr_t number_of(nvmlDevice_t device) { return reinterpret_cast<std::uintptr_t>(device); }
inline nvmlDevice_t handle_from(std::uintptr_t number) { return reinterpret_cast<nvmlDevice_t>(number); }

/// The device of a handle, for calls that do not read its state.
inline NvmlAnswer<int> place_of(nvmlDevice_t device) { return process_nvml().place_of(number_of(device)); }

/// The same for a call that does: counts as a reading, and ends as the script says.
inline NvmlAnswer<int> place_to_read(nvmlDevice_t device) {
  NvmlAnswer<int> place = place_of(device);
  if (place.outcome == NvmlOutcome::ok) place.outcome = process_nvml().begin_reading(place.value);
  return place;
}

/// Writes an answer to where the caller wants it.
template <typename Value, typename Number>
nvmlReturn_t give(const NvmlAnswer<Value>& answer, Number* into) {
  if (into == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (answer.outcome == NvmlOutcome::ok) *into = static_cast<Number>(answer.value);
  return code_of(answer.outcome);
}

template <typename Number>
nvmlReturn_t read_number(nvmlDevice_t device, NvmlReading what, Number* into) {
  if (into == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  return give(process_nvml().read(place.value, what), into);
}

/// With the zero at its end.
inline nvmlReturn_t give_text(const std::string& text, char* into, unsigned length) {
  if (into == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (length <= text.size()) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::copy(text.c_str(), text.c_str() + text.size() + 1, into);
  return NVML_SUCCESS;
}

}  // namespace stepgate::emulator
