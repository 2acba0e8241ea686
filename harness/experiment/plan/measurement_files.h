// measurement.json: written whole or not at all, and what an earlier run left is read back.
#pragma once

#include <filesystem>
#include <optional>

#include "core/record/measurement.h"

namespace stepgate {

/// Creates the folder and proves that it can be written, before anything is measured: Error(usage) naming it and errno.
void prepare_result_folder(const std::filesystem::path& folder);

/// Writes <folder>/measurement.json, then removes the run records that it holds (launch/stored_records.h).
void write_measurement(const std::filesystem::path& folder, const Measurement& measurement);

Measurement read_measurement(const std::filesystem::path& file);

/// What an earlier run left complete in `folder`; absent where there is nothing, or what a signal stopped.
std::optional<Measurement> completed_measurement(const std::filesystem::path& folder);

/// True where a process failed, or none was started.
bool has_failed(const Measurement& measurement);

/// True where `measurement` holds a process that a signal stopped.
bool was_interrupted(const Measurement& measurement);

bool has_group(const Measurement& measurement, Group group);

}  // namespace stepgate
