#include "json/records/passes/timed_pass_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace stepgate {
namespace {

template <typename Row, typename Field>
Json column(const std::vector<Row>& rows, Field field) {
  Json result = Json::array();
  for (const Row& row : rows) result.push_back(std::invoke(field, row));
  return result;
}

/// Absent if no step has a value, null if this step has none.
template <typename Row, typename Field>
std::optional<Json> optional_column(const std::vector<Row>& rows, Field field) {
  Json result = Json::array();
  bool any = false;
  for (const Row& row : rows) {
    const std::optional<std::int64_t> value = std::invoke(field, row);
    any = any || value.has_value();
    result.push_back(value ? Json(*value) : Json(nullptr));
  }
  return any ? std::optional<Json>(std::move(result)) : std::nullopt;
}

/// Absent if no row has it.
template <typename Row>
void add_skipped_updates(Json& value, const std::vector<Row>& rows) {
  const bool any = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.skipped_update; });
  if (any) value["skipped_update"] = column(rows, &Row::skipped_update);
}

void add_boundary_columns(Json& value, const std::vector<StepSample>& steps, const StepBoundaries& boundaries) {
  Json& host = value["host_ns"] = Json::object();
  Json device = Json::object();
  for (const Boundary boundary : boundaries.order()) {
    const auto index = static_cast<std::size_t>(boundary);
    const std::string name(boundaries.name(boundary));
    host[name] = column(steps, [&](const StepSample& step) { return step.host_ns[index]; });
    const auto times = optional_column(steps, [&](const StepSample& step) {
      return step.device_ns ? std::optional((*step.device_ns)[index]) : std::nullopt;
    });
    if (times) device[name] = *times;
  }
  if (!device.empty()) value["device_ns"] = std::move(device);
}

Json columns_of(const std::vector<StepSample>& steps, const StepBoundaries& boundaries) {
  Json value = Json::object();
  value["wall_ns"] = column(steps, &StepSample::wall_ns);
  add_boundary_columns(value, steps, boundaries);
  if (auto overlap = optional_column(steps, &StepSample::overlap_ns)) value["overlap_ns"] = *overlap;
  if (auto gap = optional_column(steps, &StepSample::gap_ns)) value["gap_ns"] = *gap;
  if (auto exchange = optional_column(steps, &StepSample::allreduce_ns)) value["allreduce_ns"] = *exchange;
  if (auto wait = optional_column(steps, &StepSample::allreduce_wait_ns)) value["allreduce_wait_ns"] = *wait;
  value["samples"] = column(steps, &StepSample::samples);
  value["padded_tokens"] = column(steps, &StepSample::padded_tokens);
  value["effective_tokens"] = column(steps, &StepSample::effective_tokens);
  if (auto flops = optional_column(steps, &StepSample::flops)) value["flops"] = *flops;
  value["shape"] = column(steps, [](const StepSample& step) { return fmt::format("{:016x}", step.shape); });
  value["cold_shape"] = column(steps, &StepSample::cold_shape);
  add_skipped_updates(value, steps);
  return value;
}

Json columns_of(const std::vector<Window>& windows) {
  Json value = {{"wall_ns", column(windows, &Window::wall_ns)},
                {"first_step", column(windows, &Window::first_step)},
                {"steps", column(windows, &Window::steps)},
                {"cold_shape", column(windows, &Window::cold_shape)}};
  if (auto samples = optional_column(windows, &Window::samples)) value["samples"] = *samples;
  if (auto queued = optional_column(windows, &Window::queued_ns)) value["queued_ns"] = *queued;
  if (auto begin = optional_column(windows, &Window::begin_us)) value["begin_us"] = *begin;
  if (auto clock = optional_column(windows, &Window::gpu_clock_khz)) value["gpu_clock_khz"] = *clock;
  add_skipped_updates(value, windows);
  return value;
}

/// Sixteen hexadecimal digits, because most JSON readers keep integers only up to 2^53.
std::uint64_t shape_at(const Reader& reader) {
  const std::string text = reader.text();
  std::uint64_t shape = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), shape, 16);
  if (error != std::errc() || end != text.data() + text.size()) reader.expected("up to 16 hexadecimal digits");
  return shape;
}

std::optional<std::int64_t> optional_integer(const Reader& reader) {
  return reader.is_null() ? std::nullopt : std::optional(reader.integer());
}

/// Reads one column into a field of each row; the first column decides the number of rows.
template <typename Row, typename Read, typename Store>
void read_column(const Reader& reader, std::vector<Row>& rows, Read read, Store store) {
  const auto values = reader.list_of(read);
  if (values.size() != rows.size()) {
    reader.fail(fmt::format("expected {} entries as in wall_ns, found {}", rows.size(), values.size()));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) store(rows[i], values[i]);
}

template <typename Row>
void read_integers(const Reader& reader, std::vector<Row>& rows, std::int64_t Row::*field) {
  read_column(reader, rows, &Reader::integer, [=](Row& row, std::int64_t value) { row.*field = value; });
}

void read_host_times(Reader reader, const StepBoundaries& boundaries, std::vector<StepSample>& steps) {
  for (const Boundary boundary : boundaries.order()) {
    const auto index = static_cast<std::size_t>(boundary);
    read_column(reader.at(boundaries.name(boundary)), steps, &Reader::integer,
                [=](StepSample& step, std::int64_t value) { step.host_ns[index] = value; });
  }
}

void read_device_times(Reader reader, const StepBoundaries& boundaries, std::vector<StepSample>& steps) {
  for (const Boundary boundary : boundaries.order()) {
    const auto index = static_cast<std::size_t>(boundary);
    const bool first = boundary == boundaries.order().front();
    const Reader times = reader.at(boundaries.name(boundary));
    read_column(times, steps, optional_integer, [&](StepSample& step, std::optional<std::int64_t> value) {
      if (first && value) step.device_ns.emplace();
      if (value.has_value() != step.device_ns.has_value()) {
        times.fail("a step must have a time at every boundary or null at every boundary");
      }
      if (value) (*step.device_ns)[index] = *value;
    });
  }
}

template <typename Row>
void read_optional(const std::optional<Reader>& reader, std::vector<Row>& rows,
                   std::optional<std::int64_t> Row::*field) {
  if (!reader) return;
  read_column(*reader, rows, optional_integer,
              [=](Row& row, std::optional<std::int64_t> value) { row.*field = value; });
}

template <typename Row>
void read_skipped_updates(const std::optional<Reader>& reader, std::vector<Row>& rows) {
  if (!reader) return;
  read_column(*reader, rows, &Reader::boolean, [](Row& row, bool value) { row.skipped_update = value; });
}

std::vector<StepSample> steps_at(Reader reader, const StepBoundaries& boundaries) {
  const auto wall_ns = reader.at("wall_ns");
  std::vector<StepSample> steps(wall_ns.integers().size());
  read_integers(wall_ns, steps, &StepSample::wall_ns);
  read_host_times(reader.at("host_ns"), boundaries, steps);
  if (auto device = reader.find("device_ns")) read_device_times(*device, boundaries, steps);
  read_optional(reader.find("overlap_ns"), steps, &StepSample::overlap_ns);
  read_optional(reader.find("gap_ns"), steps, &StepSample::gap_ns);
  read_optional(reader.find("allreduce_ns"), steps, &StepSample::allreduce_ns);
  read_optional(reader.find("allreduce_wait_ns"), steps, &StepSample::allreduce_wait_ns);
  read_integers(reader.at("samples"), steps, &StepSample::samples);
  read_integers(reader.at("padded_tokens"), steps, &StepSample::padded_tokens);
  read_integers(reader.at("effective_tokens"), steps, &StepSample::effective_tokens);
  read_optional(reader.find("flops"), steps, &StepSample::flops);
  read_column(reader.at("shape"), steps, shape_at, [](StepSample& step, std::uint64_t value) { step.shape = value; });
  read_column(reader.at("cold_shape"), steps, &Reader::boolean,
              [](StepSample& step, bool value) { step.cold_shape = value; });
  read_skipped_updates(reader.find("skipped_update"), steps);
  return steps;
}

std::vector<Window> windows_at(Reader reader) {
  const auto wall_ns = reader.at("wall_ns");
  std::vector<Window> windows(wall_ns.integers().size());
  read_integers(wall_ns, windows, &Window::wall_ns);
  read_integers(reader.at("first_step"), windows, &Window::first_step);
  read_integers(reader.at("steps"), windows, &Window::steps);
  read_column(reader.at("cold_shape"), windows, &Reader::boolean,
              [](Window& window, bool value) { window.cold_shape = value; });
  read_optional(reader.find("samples"), windows, &Window::samples);
  read_optional(reader.find("queued_ns"), windows, &Window::queued_ns);
  read_optional(reader.find("begin_us"), windows, &Window::begin_us);
  read_optional(reader.find("gpu_clock_khz"), windows, &Window::gpu_clock_khz);
  read_skipped_updates(reader.find("skipped_update"), windows);
  return windows;
}

}  // namespace

Json value_of(const TimedPass& pass, const StepBoundaries& boundaries) {
  return {{"clock", pass.clock}, {"windows", columns_of(pass.windows)}, {"steps", columns_of(pass.steps, boundaries)}};
}

TimedPass timed_pass_at(Reader reader, const StepBoundaries& boundaries) {
  return {.clock = reader.at("clock").text(),
          .windows = windows_at(reader.at("windows")),
          .steps = steps_at(reader.at("steps"), boundaries)};
}

}  // namespace stepgate
