#include "core/process_place.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace stepgate {
namespace {

template <std::size_t length>
void write_name(std::string_view text, std::array<char, length>& into) {
  into.fill('\0');
  std::copy_n(text.begin(), std::min(text.size(), length - 1), into.begin());
}

/// Absent if it is not a name. The measured program can write anything.
template <std::size_t length>
std::optional<std::string_view> name_in(const std::array<char, length>& bytes) {
  const auto end = std::find(bytes.begin(), bytes.end(), '\0');
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (end == bytes.begin() || end == bytes.end() || !std::all_of(bytes.begin(), end, is_plain)) return std::nullopt;
  return std::string_view(bytes.data(), static_cast<std::size_t>(end - bytes.begin()));
}

std::string with_step(const std::string& stage, const StepPlace& place) {
  const std::string step = text_of(place);
  return step.empty() ? stage : stage + ", " + step;
}

}  // namespace

std::array<StepPlace::Name, boundary_slots> StepPlace::names_of_table() {
  std::array<Name, boundary_slots> names{};
  for (const BoundaryRow& row : boundary_table) write_name(row.name, names[static_cast<std::size_t>(row.boundary)]);
  return names;
}

void StepPlace::set_name(Boundary named, std::string_view text) {
  write_name(text, names[static_cast<std::size_t>(named)]);
}

void ProcessPlace::enter_pass(std::string_view name) {
  write_name(name, pass);
  stage = RunStage::pass;
}

bool is_in_pass(const ProcessPlace& place, std::string_view name) {
  const std::string_view bytes(place.pass.data(), place.pass.size());
  return place.stage == RunStage::pass && bytes.substr(0, bytes.find('\0')) == name;
}

std::string text_of(const StepPlace& place) {
  if (place.is_in_step == 0) {
    return place.step == 0 ? "before its first step" : "after step " + std::to_string(place.step - 1);
  }
  if (place.boundary >= boundary_slots) return "";
  const auto boundary = name_in(place.names[place.boundary]);
  return boundary ? "boundary " + std::string(*boundary) + ", step " + std::to_string(place.step) : "";
}

std::string text_of(const ProcessPlace& place) {
  switch (place.stage) {
    case RunStage::unknown:
      return "";
    case RunStage::before_passes:
      return "before its first pass";
    case RunStage::warm_up:
      return with_step("in warm-up", place.step);
    case RunStage::pass:
      break;
    case RunStage::after_passes:
      return "after its last pass";
    case RunStage::no_device:
      return "without a device";
    case RunStage::gpu_too_small:
      return "before its first pass";
  }
  const auto pass = name_in(place.pass);
  return place.stage == RunStage::pass && pass ? with_step("in pass " + std::string(*pass), place.step) : "";
}

}  // namespace stepgate
