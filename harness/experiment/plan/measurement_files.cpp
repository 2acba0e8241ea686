#include "experiment/plan/measurement_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/error.h"
#include "json/records/measurement_json.h"
#include "json/text/read_back.h"
#include "launch/replicate/stored_records.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path side_and_name(const fs::path& program) { return program.parent_path().filename() / program.filename(); }

bool is_of(const Measurement& measurement, const MeasurementIdentity& wanted) {
  const auto other = [&](const Replicate& replicate) {
    const auto& record = replicate.record;
    return record && (record->case_name != wanted.case_name || record->seed != wanted.seed);
  };
  return measurement.case_name == wanted.case_name && measurement.plan.seed == wanted.seed &&
         side_and_name(measurement.program) == side_and_name(wanted.program) &&
         std::none_of(measurement.replicates.begin(), measurement.replicates.end(), other);
}

}  // namespace

void prepare_result_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw Error(ErrorKind::usage, fmt::format("--out: cannot create {}: {}", folder.string(), failed.message()),
                "name a folder that can be written: --out DIR");
  std::string probe = (folder / ".writable-XXXXXX").string();
  const int descriptor = mkstemp(probe.data());
  if (descriptor < 0)
    throw Error(ErrorKind::usage, fmt::format("--out: cannot write in {}: {}", folder.string(), std::strerror(errno)),
                "name a folder that can be written: --out DIR");
  close(descriptor);
  unlink(probe.c_str());
}

void write_measurement(const fs::path& folder, const Measurement& measurement) {
  const fs::path stopped = folder / "stopped-measurement.json";
  const fs::path whole = folder / "measurement.json";
  const fs::path& file = was_interrupted(measurement) ? stopped : whole;
  write_file_atomically(file, text_that_reads_back(measurement, file.string(), measurement_from_text));
  if (file == whole) fs::remove(stopped);
  remove_stored_records(folder, measurement);
}

Measurement read_measurement(const fs::path& file) {
  return measurement_from_text(read_text_file(file), file.string());
}

std::optional<Measurement> completed_measurement(const fs::path& folder, const MeasurementIdentity& wanted) {
  const fs::path file = folder / "measurement.json";
  const auto text = read_text_file_if_present(file);
  if (!text) return std::nullopt;
  Measurement measurement = measurement_from_text(*text, file.string());
  if (was_interrupted(measurement) || !is_of(measurement, wanted)) return std::nullopt;
  remove_stored_records(folder, measurement);  // a run that was killed between writing and removing left them
  return measurement;
}

bool has_failed(const Measurement& measurement) {
  return measurement.replicates.empty() ||
         std::any_of(measurement.replicates.begin(), measurement.replicates.end(), counts_as_failed);
}

bool was_interrupted(const Measurement& measurement) {
  return std::any_of(measurement.replicates.begin(), measurement.replicates.end(), [](const Replicate& replicate) {
    return replicate.failure && replicate.failure->kind == FailureKind::interrupted;
  });
}

void refuse_profiled(const Measurement& measurement) {
  if (!has_group(measurement, Group::profile)) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: its processes were profiled, and no baseline is compared with a profile", measurement.case_name),
      fmt::format("measure the case without a profile: stepgate run {}", measurement.case_name));
}

bool has_group(const Measurement& measurement, Group group) {
  return std::any_of(measurement.replicates.begin(), measurement.replicates.end(),
                     [&](const Replicate& replicate) { return replicate.group == group; });
}

}  // namespace stepgate
