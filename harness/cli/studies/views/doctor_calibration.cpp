#include "cli/studies/views/doctor_calibration.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cli/output.h"
#include "core/stored/calibrated_sum.h"
#include "core/text/number_format.h"
#include "experiment/studies/calibrate.h"
#include "json/stored/calibration_json.h"
#include "system/files/output_file.h"

namespace stepgate {
namespace {

/// A trace has tens of shapes.
constexpr std::size_t listed_ambiguous_calls = 10;

void print_ambiguous(const LibraryCalibration& calibration) {
  std::size_t number = 0;
  for (const auto& [name, call] : calibration.calls) {
    if (!call.is_ambiguous()) continue;
    if (++number > listed_ambiguous_calls) continue;
    print_line(stdout, "not used: {}: {} to {} kernels in {}", name, call.kernels.least, call.kernels.most,
               counted(call.calls, "equal call"));
  }
  if (number > listed_ambiguous_calls) print_line(stdout, "not used: {} more", number - listed_ambiguous_calls);
}

void print_left_out(std::int64_t kernels, const char* why) {
  if (kernels > 0) print_line(stdout, "left out: {} of libraries {}", counted(kernels, "kernel"), why);
}

void print_calibration(const LibraryCalibration& calibration) {
  const auto ambiguous = std::count_if(calibration.calls.begin(), calibration.calls.end(),
                                       [](const auto& row) { return row.second.is_ambiguous(); });
  print_line(stdout, "wrote {}: {}, {} of them not used", name_of_calibration(calibration),
             counted(calibration.calls.size(), "library call"), ambiguous);
  print_ambiguous(calibration);
  print_left_out(calibration.left_out.without_operands, "whose calls lack dtypes, sizes, strides or arguments");
  print_left_out(calibration.left_out.in_graphs, "in CUDA graphs");
  print_left_out(calibration.left_out.outside_operators, "launched outside of operators, or before the recording");
  print_line(stdout, "next: stepgate gate CASE --device emulated:MODEL --calibration {}", calibration.source);
}

}  // namespace

int doctor_calibration(const std::filesystem::path& trace, const std::filesystem::path& file, bool json) {
  const LibraryCalibration calibration = write_calibration(trace, file);
  if (is_standard_stream(file)) return 0;  // it holds the document
  if (json) {
    print_json(to_text(calibration));
  } else {
    print_calibration(calibration);
  }
  return 0;
}

}  // namespace stepgate
