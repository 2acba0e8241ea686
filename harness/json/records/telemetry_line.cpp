#include "json/records/telemetry_line.h"

#include "json/text/reader.h"

namespace stepgate {

std::string telemetry_line(const TelemetryRecord& record) {
  Json line = {{"step", record.step}, {"unix_s", record.unix_s}, {"values", Json::object()}};
  for (const TelemetryValue& entry : record.values) line["values"][entry.name] = write_non_finite(entry.value);
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace stepgate
