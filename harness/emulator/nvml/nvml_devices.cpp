#include "emulator/nvml/nvml_devices.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <utility>

#include "emulator/model/shown_devices.h"

namespace stepgate::emulator {
namespace {

// A handle is the device's place and the instance, each from 1, so that it is never null.
constexpr std::uintptr_t instance_values = 256;
// As many as the slices of the GPUs that can be split.
constexpr unsigned most_instances_of_device = 7;
// Numbers of instances follow those of all devices, so that no UUID occurs twice.
constexpr int first_instance_number = 1000;
constexpr int instance_numbers_of_device = 10;
constexpr const char* usual_driver = "580.65.06";  // the first of CUDA 13.0

struct OutcomeText {
  NvmlOutcome outcome;
  std::string_view text;
};

constexpr std::array<OutcomeText, 10> outcome_texts = {{
    {NvmlOutcome::ok, "the call worked"},
    {NvmlOutcome::uninitialized, "the library was not started"},
    {NvmlOutcome::invalid_argument, "an argument is invalid"},
    {NvmlOutcome::not_supported, "this GPU does not support the call"},
    {NvmlOutcome::no_permission, "the user may not do this"},
    {NvmlOutcome::not_found, "nothing of this name was found"},
    {NvmlOutcome::insufficient_size, "the room for the answer is too small"},
    {NvmlOutcome::timeout, "nothing happened in time"},
    {NvmlOutcome::gpu_is_lost, "the GPU is lost"},
    {NvmlOutcome::version_mismatch, "the version of the structure is not known"},
}};

std::uintptr_t handle_of(const NvmlDevice& device) {
  return static_cast<std::uintptr_t>(device.place + 1) * instance_values +
         static_cast<std::uintptr_t>(device.instance + 1);
}

/// "0000:1b:00.0": small letters, and a domain of four digits.
std::string short_bus_id(std::string_view text) {
  std::string id(text);
  std::transform(id.begin(), id.end(), id.begin(), [](unsigned char letter) { return std::tolower(letter); });
  if (id.find(':') == 8 && id.starts_with("0000")) id.erase(0, 4);
  return id;
}

}  // namespace

std::string_view text_of_nvml_outcome(NvmlOutcome outcome) {
  for (const OutcomeText& row : outcome_texts) {
    if (row.outcome == outcome) return row.text;
  }
  return "an error without a text";
}

std::string time_problem(const MachineOptions& options, const DeviceScript& script) {
  if (options.clock == ClockKind::real_time) return "";
  const ScriptProgress at_last{.milliseconds = std::numeric_limits<std::int64_t>::max()};
  for (int place = 0; place < options.devices; ++place) {
    if (script.value(place, "xid", at_last) == script.value(place, "xid", {})) continue;
    return "gpu " + std::to_string(place) +
           " after ... ms xid: NVML counts real time and the machine virtual time; write operations or readings, or "
           "add clock=real";
  }
  return "";
}

NvmlDevices::NvmlDevices(MachineOptions options, DeviceScript script, NvmlSources sources)
    : options_(std::move(options)), script_(std::move(script)), sources_(std::move(sources)) {}

void NvmlDevices::start() {
  const std::lock_guard lock(mutex_);
  ++starts_;
}

NvmlOutcome NvmlDevices::stop() {
  const std::lock_guard lock(mutex_);
  if (starts_ == 0) return NvmlOutcome::uninitialized;
  --starts_;
  return NvmlOutcome::ok;
}

bool NvmlDevices::is_started() const {
  const std::lock_guard lock(mutex_);
  return starts_ > 0;
}

std::string NvmlDevices::driver_version() const {
  const std::lock_guard lock(mutex_);
  // One driver serves all devices: the line of the first one counts.
  return script_.value(0, "driver", progress_of(0)).value_or(usual_driver);
}

NvmlAnswer<std::uintptr_t> NvmlDevices::handle_at(unsigned index) const {
  if (index >= static_cast<unsigned>(options_.devices)) return {NvmlOutcome::invalid_argument, 0};
  return {NvmlOutcome::ok, handle_of({static_cast<int>(index), NvmlDevice::whole})};
}

NvmlAnswer<std::uintptr_t> NvmlDevices::handle_of_uuid(std::string_view text) const {
  const std::lock_guard lock(mutex_);
  for (int place = 0; place < options_.devices; ++place) {
    if (uuid({place, NvmlDevice::whole}) == text) return {NvmlOutcome::ok, handle_of({place, NvmlDevice::whole})};
    for (int instance = 0; instance < static_cast<int>(instances_of(place)); ++instance) {
      if (uuid({place, instance}) == text) return {NvmlOutcome::ok, handle_of({place, instance})};
    }
  }
  return {NvmlOutcome::not_found, 0};
}

NvmlAnswer<std::uintptr_t> NvmlDevices::handle_of_bus(std::string_view bus_id) const {
  for (int place = 0; place < options_.devices; ++place) {
    if (short_bus_id(bus_id_text(place)) == short_bus_id(bus_id)) {
      return {NvmlOutcome::ok, handle_of({place, NvmlDevice::whole})};
    }
  }
  return {NvmlOutcome::not_found, 0};
}

NvmlAnswer<NvmlDevice> NvmlDevices::device_of(std::uintptr_t handle) const {
  const std::lock_guard lock(mutex_);
  if (starts_ == 0) return {NvmlOutcome::uninitialized, {}};
  const std::uintptr_t device_number = handle / instance_values;
  if (device_number == 0 || device_number > static_cast<std::uintptr_t>(options_.devices)) {
    return {NvmlOutcome::invalid_argument, {}};
  }
  const NvmlDevice device{static_cast<int>(device_number) - 1, static_cast<int>(handle % instance_values) - 1};
  if (device.instance >= static_cast<int>(instances_of(device.place))) return {NvmlOutcome::invalid_argument, {}};
  return {NvmlOutcome::ok, device};
}

NvmlAnswer<int> NvmlDevices::place_of(std::uintptr_t handle) const {
  const NvmlAnswer<NvmlDevice> device = device_of(handle);
  if (device.outcome != NvmlOutcome::ok) return {device.outcome, 0};
  if (device.value.instance != NvmlDevice::whole) return {NvmlOutcome::invalid_argument, 0};
  return {NvmlOutcome::ok, device.value.place};
}

std::string NvmlDevices::uuid(const NvmlDevice& device) const {
  if (device.instance == NvmlDevice::whole) return uuid_text(*options_.model, device.place);
  const int number = first_instance_number + instance_numbers_of_device * device.place + device.instance;
  return "MIG" + uuid_text(*options_.model, number).substr(3);
}

NvmlAnswer<bool> NvmlDevices::is_split(int place) {
  if (!options_.model->instances) return {NvmlOutcome::not_supported, false};
  const NvmlOutcome begun = begin_reading(place);
  if (begun != NvmlOutcome::ok) return {begun, false};
  const std::lock_guard lock(mutex_);
  return {NvmlOutcome::ok, scripted(place, "mig").value_or(0) != 0};
}

unsigned NvmlDevices::instances_of(int place) const {
  if (!options_.model->instances || scripted(place, "mig").value_or(0) == 0) return 0;
  return static_cast<unsigned>(
      std::clamp<std::int64_t>(scripted(place, "instances").value_or(1), 0, most_instances_of_device));
}

unsigned NvmlDevices::most_instances(int place) const {
  const std::lock_guard lock(mutex_);
  const bool is_split = options_.model->instances && scripted(place, "mig").value_or(0) != 0;
  return is_split ? most_instances_of_device : 0;
}

NvmlAnswer<std::uintptr_t> NvmlDevices::instance_at(int place, unsigned index) const {
  const std::lock_guard lock(mutex_);
  if (index >= most_instances_of_device) return {NvmlOutcome::invalid_argument, 0};
  if (index >= instances_of(place)) return {NvmlOutcome::not_found, 0};
  return {NvmlOutcome::ok, handle_of({place, static_cast<int>(index)})};
}

}  // namespace stepgate::emulator
