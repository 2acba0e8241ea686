#include "measure/telemetry/telemetry_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "json/records/telemetry_line.h"
#include "measure/telemetry/event_record.h"
#include "system/files/regular_file.h"

namespace stepgate {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view step, int error) {
  throw std::runtime_error(fmt::format("telemetry: {}: {}: {}", path.string(), step,
                                       std::error_code(error, std::generic_category()).message()));
}

double unix_s() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

/// The name that TensorBoard looks for; one file a process.
std::string event_file_name() { return fmt::format("events.out.tfevents.{:010.0f}.{}.stepgate", unix_s(), ::getpid()); }

}  // namespace

TelemetryFiles::TelemetryFiles(const std::filesystem::path& folder, bool tensorboard) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail(folder, "cannot create the folder", error.value());
  lines_ = opened(folder / "telemetry.jsonl");
  if (!tensorboard) return;
  events_ = opened(folder / event_file_name());
  append(*events_, event_file_begin(unix_s()));
}

void TelemetryFiles::write(const std::vector<TelemetryRecord>& records) {
  std::string lines;
  std::string events;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i >= lines_ahead_) lines += telemetry_line(records[i]) + '\n';
    events += event_frame(records[i]);
  }
  append(lines_, lines);
  lines_ahead_ = records.size();
  if (events_) append(*events_, events);
  lines_ahead_ = 0;
}

TelemetryFiles::OwnFile TelemetryFiles::opened(const std::filesystem::path& path) {
  OpenedFile file = open_regular_file(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (file.descriptor.is_open()) return {path, std::move(file.descriptor)};
  if (!file.is.empty()) throw std::runtime_error(fmt::format("telemetry: {} is {}", path.string(), file.is));
  fail(path, "cannot open it for writing", file.error);
}

void TelemetryFiles::append(const OwnFile& file, std::string_view text) {
  struct stat before {};
  const bool known = ::fstat(file.descriptor.number(), &before) == 0;
  const int error = write_whole(file.descriptor, text);
  if (error == 0) return;
  const bool restored = known && ::ftruncate(file.descriptor.number(), before.st_size) == 0;
  fail(file.path, restored ? "cannot write" : "cannot write all of it", error);
}

}  // namespace stepgate
