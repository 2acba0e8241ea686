// Records of a TensorBoard event file: protocol buffers in frames with checksums. The format is that of TensorFlow's
// record files (tensorflow/core/lib/io/record_writer.h) and of the message Event
// (tensorboard/compat/proto/event.proto).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/record/telemetry_record.h"

namespace stepgate {

/// CRC-32C, rotated and shifted, so that the checksum of data that hold checksums stays one.
std::uint32_t masked_checksum(std::string_view bytes);

/// Length, its checksum, the bytes, their checksum; all numbers little-endian.
std::string event_frame(std::string_view message);

/// The frame that an event file begins with.
std::string event_file_begin(double unix_s);

/// One frame with all values of a record. TensorBoard keeps single precision.
std::string event_frame(const TelemetryRecord& record);

}  // namespace stepgate
