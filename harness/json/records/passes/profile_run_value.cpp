#include "json/records/passes/profile_run_value.h"

#include "core/text/path_text.h"
#include "json/records/passes/observed_work_value.h"

namespace stepgate {
namespace {

Json value_of(const VariantBlock& block) {
  Json value = {{"variant", block.variant}, {"round", block.round}};
  if (block.delay_ns != 0) value["delay_ns"] = block.delay_ns;
  value["wall_ns"] = block.wall_ns;
  value["steps"] = block.steps;
  return value;
}

Json values_of(const std::vector<VariantBlock>& blocks) {
  Json values = Json::array();
  for (const VariantBlock& block : blocks) values.push_back(value_of(block));
  return values;
}

VariantBlock variant_block_at(Reader reader) {
  VariantBlock block{.variant = reader.at("variant").text(), .round = reader.at("round").count()};
  if (const auto delay = reader.find("delay_ns")) block.delay_ns = delay->count();
  block.wall_ns = reader.at("wall_ns").count();
  block.steps = reader.at("steps").count();
  return block;
}

Json value_of(const OperatorReplay& replay) {
  return {{"site", replay.site}, {"form", replay.form}, {"ns", replay.ns}};
}

OperatorReplay replay_at(Reader reader) {
  return {.site = static_cast<std::size_t>(reader.at("site").count()),
          .form = reader.at("form").text(),
          .ns = reader.at("ns").count()};
}

Json value_of(const ProductReplay& replay) {
  return {{"site", replay.site}, {"written_ns", replay.written_ns}, {"product_ns", replay.product_ns}};
}

ProductReplay product_at(Reader reader) {
  return {.site = static_cast<std::size_t>(reader.at("site").count()),
          .written_ns = reader.at("written_ns").count(),
          .product_ns = reader.at("product_ns").count()};
}

Json value_of(const DeviceTime& time) {
  return {{"boundary", time.boundary}, {"name", time.name},       {"sizes", time.sizes},
          {"calls", time.calls},       {"self_ns", time.self_ns}, {"total_ns", time.total_ns}};
}

std::vector<std::int64_t> sizes_at(Reader reader) {
  return reader.list_of([](Reader size) { return size.count(); });
}

DeviceTime device_time_at(Reader reader) {
  DeviceTime time{.boundary = reader.at("boundary").text(), .name = reader.at("name").text()};
  time.sizes = reader.at("sizes").list_of(sizes_at);
  time.calls = reader.at("calls").count();
  if (time.calls == 0) reader.at("calls").expected("a number from 1");
  time.self_ns = reader.at("self_ns").count();
  time.total_ns = reader.at("total_ns").count();
  return time;
}

BandwidthLevel level_at(Reader reader) {
  return {.working_set_bytes = reader.at("working_set_bytes").count(),
          .bytes_per_s = reader.at("bytes_per_s").number()};
}

}  // namespace

Json value_of(const MachinePeaks& peaks) {
  Json levels = Json::array();
  for (const BandwidthLevel& level : peaks.bandwidth) {
    levels.push_back({{"working_set_bytes", level.working_set_bytes}, {"bytes_per_s", level.bytes_per_s}});
  }
  return {{"flops_per_s", peaks.flops_per_s}, {"bandwidth", std::move(levels)}, {"floor_ns", peaks.floor_ns}};
}

MachinePeaks machine_peaks_at(Reader reader) {
  return {.flops_per_s = reader.at("flops_per_s").map_of(&Reader::number),
          .bandwidth = reader.at("bandwidth").list_of(level_at),
          .floor_ns = reader.at("floor_ns").count()};
}

Json value_of(const ProfileRun& run) {
  Json value;
  value["blocks"] = values_of(run.blocks);
  if (run.observed) {
    value["observed"] = value_of(*run.observed);
    value["observed_wall_ns"] = run.observed_wall_ns;
    value["unobserved_wall_ns"] = run.unobserved_wall_ns;
  }
  value["peaks"] = value_of(run.peaks);
  Json& replays = value["replays"] = Json::array();
  for (const OperatorReplay& replay : run.replays) replays.push_back(value_of(replay));
  for (const ProductReplay& replay : run.products) value["products"].push_back(value_of(replay));
  if (!run.repeats.empty()) value["repeats"] = values_of(run.repeats);
  if (!run.repeated_calls.empty()) value["repeated_calls"] = run.repeated_calls;
  if (run.repeating_ns > 0) value["repeating_ns"] = run.repeating_ns;
  for (const DeviceTime& time : run.device_times) value["device_times"].push_back(value_of(time));
  value["absent"] = run.absent;
  if (!run.trace.empty()) value["trace"] = run.trace;
  return value;
}

ProfileRun profile_run_at(Reader reader) {
  ProfileRun run;
  run.blocks = reader.at("blocks").list_of(variant_block_at);
  if (const auto observed = reader.find("observed")) {
    run.observed = observed_work_at(*observed);
    run.observed_wall_ns = reader.at("observed_wall_ns").count();
    run.unobserved_wall_ns = reader.at("unobserved_wall_ns").count();
  }
  run.peaks = machine_peaks_at(reader.at("peaks"));
  const std::size_t sites = run.observed ? run.observed->sites.size() : 0;
  run.replays = reader.at("replays").list_of([&](Reader replay) {
    OperatorReplay read = replay_at(replay);
    if (read.site >= sites) replay.at("site").expected("a position in observed.sites");
    return read;
  });
  if (const auto products = reader.find("products")) {
    run.products = products->list_of([&](Reader product) {
      ProductReplay read = product_at(product);
      if (read.site >= sites) product.at("site").expected("a position in observed.sites");
      return read;
    });
  }
  if (const auto repeats = reader.find("repeats")) run.repeats = repeats->list_of(variant_block_at);
  if (const auto calls = reader.find("repeated_calls")) run.repeated_calls = calls->map_of(&Reader::count);
  if (const auto price = reader.find("repeating_ns")) {
    run.repeating_ns = price->number();
    if (run.repeating_ns <= 0) price->expected("a time above 0");
  }
  if (const auto times = reader.find("device_times")) run.device_times = times->list_of(device_time_at);
  run.absent = reader.at("absent").text_map();
  if (const auto trace = reader.find("trace")) {
    run.trace = trace->text();
    if (!is_path_text(PathText::file_name, run.trace)) trace->expected("the name of a file beside the record");
  }
  return run;
}

}  // namespace stepgate
