#include "json/records/stream_hazards_value.h"

#include "json/records/passes/observed_work_value.h"

namespace stepgate {
namespace {

Json value_of_access(const HazardAccess& access) {
  return {{"operator", access.op},           {"work", access.work},
          {"writes", access.writes},         {"device", access.device},
          {"stream", access.stream},         {"in_graph", access.in_graph},
          {"place", value_of(access.place)}, {"for_forward", access.for_forward}};
}

HazardAccess access_at(Reader reader) {
  return {.op = reader.at("operator").text(),
          .work = reader.at("work").text(),
          .writes = reader.at("writes").boolean(),
          .device = reader.at("device").count(),
          .stream = reader.at("stream").count(),
          .in_graph = reader.at("in_graph").boolean(),
          .for_forward = reader.at("for_forward").boolean(),
          .place = code_place_at(reader.at("place"))};
}

}  // namespace

Json value_of(const StreamHazard& hazard) {
  return {
      {"kind", hazard.kind},    {"earlier", value_of_access(hazard.earlier)}, {"later", value_of_access(hazard.later)},
      {"bytes", hazard.bytes},  {"page_locked", hazard.page_locked},          {"reused", hazard.reused},
      {"remedy", hazard.remedy}};
}

StreamHazard stream_hazard_at(Reader reader) {
  return {.kind = reader.at("kind").text(),
          .earlier = access_at(reader.at("earlier")),
          .later = access_at(reader.at("later")),
          .bytes = reader.at("bytes").count(),
          .page_locked = reader.at("page_locked").boolean(),
          .reused = reader.at("reused").boolean(),
          .remedy = reader.at("remedy").text()};
}

Json value_of(const StreamHazards& hazards) {
  Json value = {
      {"accesses", hazards.accesses}, {"kernels", hazards.kernels},     {"unknown_kernels", hazards.unknown_kernels},
      {"hazards", hazards.hazards},   {"forgotten", hazards.forgotten}, {"found", Json::array()}};
  for (const StreamHazard& hazard : hazards.found) value["found"].push_back(value_of(hazard));
  return value;
}

StreamHazards stream_hazards_at(Reader reader) {
  return {.accesses = reader.at("accesses").count(),
          .kernels = reader.at("kernels").count(),
          .unknown_kernels = reader.at("unknown_kernels").count(),
          .hazards = reader.at("hazards").count(),
          .forgotten = reader.at("forgotten").count(),
          .found = reader.at("found").list_of(stream_hazard_at)};
}

}  // namespace stepgate
