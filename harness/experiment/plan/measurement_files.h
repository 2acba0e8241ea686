// measurement.json: written whole or not at all, and what an earlier run left is read back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/record/measurement.h"

namespace stepgate {

/// Creates the folder and proves that it can be written, before anything is measured: Error(usage) naming it and errno.
void prepare_result_folder(const std::filesystem::path& folder);

/// Writes <folder>/measurement.json, then removes the run records that it holds (launch/replicate/stored_records.h).
/// Throws Error(measure) if the reader would refuse the result. A measurement that a signal stopped goes to
/// <folder>/stopped-measurement.json, so that it never replaces a whole one.
void write_measurement(const std::filesystem::path& folder, const Measurement& measurement);

Measurement read_measurement(const std::filesystem::path& file);

/// The facts that a stored measurement must share with a new one to take its place.
struct MeasurementIdentity {
  std::string case_name;
  /// Its name and that of its folder (base, head, or that of the A/A copy) count: the output folder may move.
  std::filesystem::path program;
  std::uint64_t seed = 0;
};

/// The complete measurement of an earlier run in `folder`; absent if there is none, if a signal stopped it, or if it is
/// of another case, program or seed. Files of records that it holds are removed, if a run was killed before it did so.
std::optional<Measurement> completed_measurement(const std::filesystem::path& folder,
                                                 const MeasurementIdentity& wanted);

/// True where a process failed, or none was started.
bool has_failed(const Measurement& measurement);

/// True where `measurement` holds a process that a signal stopped.
bool was_interrupted(const Measurement& measurement);

/// Throws Error(usage) where `measurement` holds processes of group profile: their times are those of experiments, so
/// nothing is compared with a baseline or made one.
void refuse_profiled(const Measurement& measurement);

bool has_group(const Measurement& measurement, Group group);

}  // namespace stepgate
