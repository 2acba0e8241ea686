#include "emulator/hazards/hazard.h"

#include <array>
#include <charconv>

#include "emulator/machine/json_quoted.h"

namespace stepgate::emulator {
namespace {

std::string_view name_of_maker(AccessMaker maker) {
  switch (maker) {
    case AccessMaker::kernels:
      return "kernels";
    case AccessMaker::copy:
      return "copy";
    case AccessMaker::memset:
      return "memset";
    case AccessMaker::collective:
      return "collective";
    case AccessMaker::host:
      return "host";
    case AccessMaker::release:
      break;
  }
  return "release";
}

/// Offsets are hexadecimal, as in a run record.
std::string json_of_place(const HazardOrigin& origin) {
  std::string text;
  for (const std::uint64_t offset : origin.offsets) {
    std::array<char, 16> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), offset, 16);
    text += (text.empty() ? "\"" : ", \"") + std::string(digits.data(), written.ptr) + '"';
  }
  return "{\"offsets\": [" + text + "]}";
}

std::string_view json_of_flag(bool flag) { return flag ? "true" : "false"; }

std::string json_of_access(const AccessRecord& access, const HazardOrigins& origins) {
  const HazardOrigin& origin = origins.at(access.origin);
  const std::string work = access.work.empty() ? std::string(name_of_maker(access.maker)) : access.work;
  std::string text = "{\"maker\": " + json_quoted(name_of_maker(access.maker)) + ", \"work\": " + json_quoted(work);
  text += ", \"operator\": " + json_quoted(origin.operator_name);
  text += std::string(", \"writes\": ") + std::string(json_of_flag(access.writes));
  text += ", \"device\": " + std::to_string(access.place.device);
  text += ", \"stream\": " + std::to_string(access.place.stream_number);
  text += std::string(", \"in_graph\": ") + std::string(json_of_flag(access.is_in_graph));
  text += ", \"place\": " + json_of_place(origin);
  return text + ", \"for_forward\": " + std::string(json_of_flag(origin.for_forward)) + "}";
}

std::string stream_text(const AccessRecord& access) {
  return "stream " + std::to_string(access.place.stream_number) + " of device " + std::to_string(access.place.device);
}

bool is_reused_block(const Hazard& hazard) {
  return hazard.earlier.block != 0 && hazard.later.block != 0 && hazard.earlier.block != hazard.later.block;
}

}  // namespace

std::string_view name_of_hazard(const Hazard& hazard) {
  if (!hazard.later.writes) return "read after write";
  return hazard.earlier.writes ? "write after write" : "write after read";
}

std::string remedy_of(const Hazard& hazard) {
  const std::string earlier = stream_text(hazard.earlier);
  const std::string later = stream_text(hazard.later);
  if (hazard.later.maker == AccessMaker::host) {
    return "let the host wait for an event that " + earlier + " records after the first access, before the second one";
  }
  if (hazard.earlier.maker == AccessMaker::release || hazard.later.maker == AccessMaker::release) {
    return "let the stream that frees the memory wait for the other one's event before it is freed";
  }
  if (is_reused_block(hazard)) {
    return "call record_stream with " + earlier +
           " on the tensor before it is freed, or let the stream that it was made "
           "on wait for an event that " +
           earlier + " records after the first access";
  }
  const std::string place = hazard.earlier.is_in_graph ? "after the launch of the graph" : "after the first access";
  return "record an event in " + earlier + " " + place + ", and let " + later + " wait for it before the second one";
}

std::string json_of(const Hazard& hazard, const HazardOrigins& origins) {
  return "{\"kind\": " + json_quoted(name_of_hazard(hazard)) +
         ", \"earlier\": " + json_of_access(hazard.earlier, origins) +
         ", \"later\": " + json_of_access(hazard.later, origins) + ", \"bytes\": " + std::to_string(hazard.bytes) +
         ", \"page_locked\": " + std::string(json_of_flag(hazard.is_page_locked)) +
         ", \"reused\": " + std::string(json_of_flag(is_reused_block(hazard))) +
         ", \"remedy\": " + json_quoted(remedy_of(hazard)) + "}";
}

std::string json_of(const HazardTotals& totals) {
  return "{\"end\": true, \"accesses\": " + std::to_string(totals.accesses) +
         ", \"host_accesses\": " + std::to_string(totals.host_accesses) +
         ", \"kernels\": " + std::to_string(totals.kernels) +
         ", \"unknown_kernels\": " + std::to_string(totals.unknown_kernels) +
         ", \"hazards\": " + std::to_string(totals.hazards) + ", \"repeated\": " + std::to_string(totals.repeated) +
         ", \"forgotten\": " + std::to_string(totals.forgotten) + "}";
}

}  // namespace stepgate::emulator
