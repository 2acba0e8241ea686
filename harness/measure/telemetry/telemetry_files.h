// The files of a training run's telemetry.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "core/record/telemetry_record.h"
#include "system/descriptor.h"

namespace stepgate {

class TelemetryFiles {
 public:
  /// Continues telemetry.jsonl in the folder, which is created, and with `tensorboard` begins an event file beside it.
  /// Throws std::runtime_error naming what cannot be written.
  TelemetryFiles(const std::filesystem::path& folder, bool tensorboard);

  /// Appends the records to both files. Throws std::runtime_error naming the file that could not be written; it then
  /// ends as before, and the next call must begin with the same records; no file gets a record twice.
  void write(const std::vector<TelemetryRecord>& records);

 private:
  struct OwnFile {
    std::filesystem::path path;
    Descriptor descriptor;
  };
  static OwnFile opened(const std::filesystem::path& path);
  static void append(const OwnFile& file, std::string_view text);

  OwnFile lines_;
  std::optional<OwnFile> events_;
  std::size_t lines_ahead_ = 0;  ///< records whose lines are written and whose events are not
};

}  // namespace stepgate
