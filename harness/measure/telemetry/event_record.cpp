#include "measure/telemetry/event_record.h"

#include <bit>
#include <boost/crc.hpp>
#include <cstddef>

namespace stepgate {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

template <typename Number>
void put(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
void put_varint(std::string& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) bytes += static_cast<char>((number & 0x7fU) | 0x80U);
  bytes += static_cast<char>(number);
}

enum class Wire : std::uint64_t { varint = 0, eight_bytes = 1, length = 2, four_bytes = 5 };

void put_field(std::string& bytes, std::uint64_t field, Wire wire) {
  put_varint(bytes, field << 3U | static_cast<std::uint64_t>(wire));
}

void put_bytes(std::string& bytes, std::uint64_t field, std::string_view content) {
  put_field(bytes, field, Wire::length);
  put_varint(bytes, content.size());
  bytes += content;
}

// Fields of Event.
constexpr std::uint64_t event_wall_time = 1;
constexpr std::uint64_t event_step = 2;
constexpr std::uint64_t event_file_version = 3;
constexpr std::uint64_t event_summary = 5;
// Fields of Summary and of Summary.Value.
constexpr std::uint64_t summary_value = 1;
constexpr std::uint64_t value_tag = 1;
constexpr std::uint64_t value_simple = 2;

std::string event_at(double unix_s) {
  std::string event;
  put_field(event, event_wall_time, Wire::eight_bytes);
  put(event, unix_s);
  return event;
}

}  // namespace

std::uint32_t masked_checksum(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> castagnoli;
  castagnoli.process_bytes(bytes.data(), bytes.size());
  return std::rotr(static_cast<std::uint32_t>(castagnoli.checksum()), 15) + 0xA282EAD8U;
}

std::string event_frame(std::string_view message) {
  std::string length;
  put(length, static_cast<std::uint64_t>(message.size()));
  std::string frame = length;
  put(frame, masked_checksum(length));
  frame += message;
  put(frame, masked_checksum(message));
  return frame;
}

std::string event_file_begin(double unix_s) {
  std::string event = event_at(unix_s);
  put_bytes(event, event_file_version, "brain.Event:2");
  return event_frame(std::string_view(event));
}

std::string event_frame(const TelemetryRecord& record) {
  std::string summary;
  for (const TelemetryValue& entry : record.values) {
    std::string value;
    put_bytes(value, value_tag, entry.name);
    put_field(value, value_simple, Wire::four_bytes);
    put(value, static_cast<float>(entry.value));
    put_bytes(summary, summary_value, value);
  }
  std::string event = event_at(record.unix_s);
  put_field(event, event_step, Wire::varint);
  put_varint(event, static_cast<std::uint64_t>(record.step));
  put_bytes(event, event_summary, summary);
  return event_frame(std::string_view(event));
}

}  // namespace stepgate
