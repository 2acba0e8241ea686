#include "measure/telemetry/telemetry_files.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "measure/telemetry/event_record.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;

TelemetryRecord record_at(std::int64_t step) {
  return {step, 1712195495.75, {{"loss", 1.0 / static_cast<double>(step)}}};
}

std::filesystem::path event_file_in(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("events.out.tfevents.")) return entry.path();
  }
  return {};
}

TEST(TelemetryFiles, HoldOneLineAndOneEventARecord) {
  const TemporaryFolder folder;
  TelemetryFiles files(folder.path() / "run", true);
  files.write({record_at(1), record_at(2)});
  files.write({record_at(4)});
  EXPECT_EQ(text_of(folder.path() / "run" / "telemetry.jsonl"),
            "{\"step\":1,\"unix_s\":1712195495.75,\"values\":{\"loss\":1.0}}\n"
            "{\"step\":2,\"unix_s\":1712195495.75,\"values\":{\"loss\":0.5}}\n"
            "{\"step\":4,\"unix_s\":1712195495.75,\"values\":{\"loss\":0.25}}\n");
  EXPECT_THAT(text_of(event_file_in(folder.path() / "run")),
              ::testing::EndsWith(event_frame(record_at(1)) + event_frame(record_at(2)) + event_frame(record_at(4))));
}

TEST(TelemetryFiles, ContinueWhatIsThere) {
  const TemporaryFolder folder;
  TelemetryFiles(folder.path(), false).write({record_at(1)});
  TelemetryFiles(folder.path(), false).write({record_at(2)});
  EXPECT_THAT(text_of(folder.path() / "telemetry.jsonl"), HasSubstr("\"step\":1,"));
  EXPECT_THAT(text_of(folder.path() / "telemetry.jsonl"), HasSubstr("\"step\":2,"));
  EXPECT_EQ(event_file_in(folder.path()), "");
}

TEST(TelemetryFiles, WriteWhatIsNotFinite) {
  const TemporaryFolder folder;
  const double infinite = std::numeric_limits<double>::infinity();
  TelemetryFiles(folder.path(), false).write({{7, 0, {{"a", std::nan("")}, {"b", -infinite}}}});
  EXPECT_THAT(text_of(folder.path() / "telemetry.jsonl"), HasSubstr(R"("values":{"a":"nan","b":"-inf"})"));
}

TEST(TelemetryFiles, SayWhatCannotBeWritten) {
  const TemporaryFolder folder;
  folder.write("file", "");
  std::filesystem::create_directory(folder.path() / "telemetry.jsonl");
  const auto message_of = [](const std::filesystem::path& place) -> std::string {
    try {
      TelemetryFiles(place, true);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message_of(folder.path() / "file"), HasSubstr("file: cannot create the folder"));
  EXPECT_THAT(message_of(folder.path()), HasSubstr("telemetry.jsonl: cannot open it for writing: Is a directory"));
}

}  // namespace
}  // namespace stepgate
