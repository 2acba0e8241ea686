#include "experiment/studies/calibrate.h"

#include <string>

#include "diagnose/trace/calibration_of_trace.h"
#include "json/stored/calibration_json.h"
#include "json/text/read_back.h"
#include "json/traces/trace_file.h"
#include "system/files/output_file.h"

namespace stepgate {

LibraryCalibration write_calibration(const std::filesystem::path& trace, const std::filesystem::path& file) {
  LibraryCalibration calibration = calibration_of_trace(read_trace_file(trace, {.operands = most_trace_operands}));
  calibration.source = file.string();
  write_output_file(file, text_that_reads_back(calibration, file.string(), calibration_from_text));
  return calibration;
}

}  // namespace stepgate
