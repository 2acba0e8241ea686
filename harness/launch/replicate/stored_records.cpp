#include "launch/replicate/stored_records.h"

#include <system_error>

#include "launch/replicate/replicate_request.h"

namespace stepgate {

void remove_stored_records(const std::filesystem::path& folder, const Measurement& measurement) {
  for (const Replicate& replicate : measurement.replicates) {
    if (!replicate.record) continue;
    std::error_code kept;
    std::filesystem::remove(
        folder / record_file_name({.group = replicate.group, .index = replicate.index, .attempt = replicate.attempt}),
        kept);
  }
}

}  // namespace stepgate
