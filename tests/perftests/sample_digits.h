// Digits that need no download: each of the ten has its own pattern, with a little noise.
#pragma once

#include <string>
#include <utility>

#include "perftests/data_folder.h"
#include "vision/digit_samples.h"

namespace stepgate {

/// In the form of the training data: 64 grey levels and a label per line.
inline std::string painted_digits(std::int64_t count) {
  std::string csv;
  for (std::int64_t image = 0; image < count; ++image) {
    const std::int64_t digit = image % digit_classes;
    for (std::int64_t y = 0; y < digit_side; ++y) {
      for (std::int64_t x = 0; x < digit_side; ++x) {
        const bool stroke = digit < 5 ? (x + digit) % 5 == 0 : (y + digit) % 5 == 0;
        csv += std::to_string((stroke ? 13 : 0) + (x * y + image) % 4) + ",";
      }
    }
    csv += std::to_string(digit) + "\n";
  }
  return csv;
}

inline DigitData painted_data(const DataFolder& folder, std::int64_t count = 200) {
  const RecordSource source{.folder = folder.path(), .name = "painted.records", .record_bytes = 65, .make = [=] {
                              return digit_records(painted_digits(count));
                            }};
  return {.records = std::make_shared<const RecordFile>(source), .digest = "painted"};
}

}  // namespace stepgate
