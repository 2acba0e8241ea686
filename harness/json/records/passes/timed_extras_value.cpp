#include "json/records/passes/timed_extras_value.h"

namespace stepgate {
namespace {

CopySeries series_at(Reader reader) {
  return {.layout = reader.at("layout").one_of(copy_layout_named, "batch, single, split"),
          .pinned = reader.at("pinned").boolean(),
          .bytes = reader.at("bytes").integer(),
          .tensors = reader.at("tensors").integer(),
          .trial_ns = reader.at("trial_ns").integers()};
}

LoggingBlock block_at(Reader reader) {
  LoggingBlock block{.on = reader.at("on").boolean(),
                     .wall_ns = reader.at("wall_ns").integer(),
                     .steps = reader.at("steps").integer()};
  if (auto skipped = reader.find("skipped_update")) block.skipped_update = skipped->boolean();
  return block;
}

DeviceWorkWindow work_window_at(Reader reader) {
  DeviceWorkWindow window{.wall_ns = reader.at("wall_ns").integer(),
                          .work_ns = reader.at("work_ns").integer(),
                          .records = reader.at("records").integer(),
                          .steps = reader.at("steps").integer()};
  if (auto cold = reader.find("cold_shape")) window.cold_shape = cold->boolean();
  if (auto skipped = reader.find("skipped_update")) window.skipped_update = skipped->boolean();
  return window;
}

}  // namespace

Json value_of(const CopyTrials& trials) {
  Json series = Json::array();
  for (const CopySeries& one : trials.series) {
    series.push_back({{"layout", name_of(one.layout)},
                      {"pinned", one.pinned},
                      {"bytes", one.bytes},
                      {"tensors", one.tensors},
                      {"trial_ns", one.trial_ns}});
  }
  Json value = {{"clock", trials.clock}, {"simulated", trials.simulated}};
  if (trials.link_bytes_per_s) value["link_bytes_per_s"] = *trials.link_bytes_per_s;
  value["series"] = std::move(series);
  return value;
}

CopyTrials copy_trials_at(Reader reader) {
  CopyTrials trials;
  trials.clock = reader.at("clock").text();
  trials.simulated = reader.at("simulated").boolean();
  if (auto link = reader.find("link_bytes_per_s")) trials.link_bytes_per_s = link->integer();
  trials.series = reader.at("series").list_of(series_at);
  return trials;
}

Json value_of(const std::vector<LoggingBlock>& blocks) {
  Json value = Json::array();
  for (const LoggingBlock& block : blocks) {
    Json one = {{"on", block.on}, {"wall_ns", block.wall_ns}, {"steps", block.steps}};
    if (block.skipped_update) one["skipped_update"] = true;
    value.push_back(std::move(one));
  }
  return value;
}

std::vector<LoggingBlock> logging_blocks_at(const Reader& reader) { return reader.list_of(block_at); }

Json value_of(const std::vector<DeviceWorkWindow>& windows) {
  Json value = Json::array();
  for (const DeviceWorkWindow& window : windows) {
    Json one = {
        {"wall_ns", window.wall_ns}, {"work_ns", window.work_ns}, {"records", window.records}, {"steps", window.steps}};
    if (window.cold_shape) one["cold_shape"] = true;
    if (window.skipped_update) one["skipped_update"] = true;
    value.push_back(std::move(one));
  }
  return value;
}

std::vector<DeviceWorkWindow> device_work_at(const Reader& reader) { return reader.list_of(work_window_at); }

Json value_of(const CheckpointSaves& saves) {
  Json value = {{"bytes", saves.bytes}};
  if (!saves.save_ns.empty()) value["save_ns"] = saves.save_ns;
  return value;
}

CheckpointSaves checkpoint_saves_at(Reader reader) {
  CheckpointSaves saves{.bytes = reader.at("bytes").counts()};
  if (auto times = reader.find("save_ns")) saves.save_ns = times->integers();
  return saves;
}

}  // namespace stepgate
