#include "measure/telemetry/event_record.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

std::string hex_of(const std::string& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    hex += digits[value >> 4U];
    hex += digits[value & 15U];
  }
  return hex;
}

// The bytes are those of tensorboard 2.21.0's own RecordWriter for the same events.
TEST(EventRecord, HasTheBytesOfTensorBoardsOwnWriter) {
  EXPECT_EQ(hex_of(event_file_begin(1712195495.5)),
            "1800000000000000a37f4b22090000e0e98183d9411a0d627261696e2e4576656e743a32b9c87386");
  const TelemetryRecord record{300, 1712195495.75, {{"loss", 0.5}, {"learning_rate", 1e-3}}};
  EXPECT_EQ(
      hex_of(event_frame(record)),
      "31000000000000009d8383e9090000f0e98183d94110ac022a230a0b0a046c6f7373150000003f0a140a0d6c6561726e696e675f7261"
      "7465156f12833a0458e389");
}

TEST(EventRecord, MasksTheChecksumOfTheStandardTestVector) {
  EXPECT_EQ(masked_checksum("123456789"), 0xC78AB0E5U);  // CRC-32C of it is 0xE3069283 (RFC 3720)
}

}  // namespace
}  // namespace stepgate
