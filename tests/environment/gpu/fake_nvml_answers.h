// Answers of the fake NVIDIA management library that are more than one number.
#pragma once

#include <string>

#include "environment/gpu/nvml_table.h"

namespace stepgate::fake_nvml {

/// The text with its end. The library's error where `length` is too short.
int copy_text(const std::string& text, char* into, unsigned length);

/// Processes on a GPU, as many as FAKE_NVML_<name> says; `count` is the room, then how many there are.
int list(const char* name, unsigned* count, nvml::ProcessInfo* rows);

/// The field by its number, from FAKE_NVML_COUNTERS; also of types and values that a caller must not trust.
void fill(nvml::FieldValue& field);

}  // namespace stepgate::fake_nvml
