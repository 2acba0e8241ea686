// NVML: clocks and their locks, reasons for lower clocks, temperature, power, energy, persistence.
#include <ctime>

#include "emulator/machine/refusal.h"
#include "emulator/nvml/nvml_translation.h"

namespace stepgate::emulator {
namespace {

bool is_core(nvmlClockType_t type) { return type == NVML_CLOCK_GRAPHICS || type == NVML_CLOCK_SM; }

void check_clock(const char* function, nvmlClockType_t type) {
  if (!is_core(type) && type != NVML_CLOCK_MEM) refuse(function, "the clock of the video engines");
}

nvmlReturn_t lock_clock(nvmlDevice_t device, NvmlClock clock, NvmlClockRange range) {
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  return code_of(process_nvml().lock(place.value, clock, range));
}

nvmlReturn_t unlock_clock(nvmlDevice_t device, NvmlClock clock) {
  const NvmlAnswer<int> place = place_of(device);
  return code_of(place.outcome == NvmlOutcome::ok ? process_nvml().unlock(place.value, clock) : place.outcome);
}

/// Nanoseconds of a lower clock, and mJ. No reading: the counter stands still.
struct FieldRow {
  unsigned field;
  std::optional<NvmlReading> reading;
};

constexpr FieldRow field_rows[] = {
    {NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP, NvmlReading::power_cap_ns},
    {NVML_FI_DEV_CLOCKS_EVENT_REASON_SYNC_BOOST, std::nullopt},
    {NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN, NvmlReading::thermal_ns},
    {NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN, std::nullopt},
    {NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN, std::nullopt},
    {NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION, NvmlReading::energy_mj},
};

std::int64_t microseconds_now() {
  constexpr std::int64_t us_in_s = 1'000'000;
  constexpr std::int64_t ns_in_us = 1000;
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  return now.tv_sec * us_in_s + now.tv_nsec / ns_in_us;
}

NvmlAnswer<std::int64_t> read_field(int place, unsigned field) {
  for (const FieldRow& row : field_rows) {
    if (row.field != field) continue;
    if (row.reading) return process_nvml().read(place, *row.reading);
    return {process_nvml().begin_reading(place), 0};
  }
  refuse("nvmlDeviceGetFieldValues", "field " + std::to_string(field));
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned* clock) {
  check_clock("nvmlDeviceGetClockInfo", type);
  return read_number(device, is_core(type) ? NvmlReading::core_clock_mhz : NvmlReading::memory_clock_mhz, clock);
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned* clock) {
  check_clock("nvmlDeviceGetMaxClockInfo", type);
  const DeviceModel& model = process_nvml().model();
  const NvmlAnswer<int> place = place_to_read(device);
  return give(NvmlAnswer<int>{place.outcome, is_core(type) ? model.clock_mhz : model.memory_clock_mhz}, clock);
}

nvmlReturn_t nvmlDeviceSetGpuLockedClocks(nvmlDevice_t device, unsigned lowest_mhz, unsigned highest_mhz) {
  return lock_clock(device, NvmlClock::core, {lowest_mhz, highest_mhz});
}

nvmlReturn_t nvmlDeviceSetMemoryLockedClocks(nvmlDevice_t device, unsigned lowest_mhz, unsigned highest_mhz) {
  return lock_clock(device, NvmlClock::memory, {lowest_mhz, highest_mhz});
}

nvmlReturn_t nvmlDeviceResetGpuLockedClocks(nvmlDevice_t device) { return unlock_clock(device, NvmlClock::core); }

nvmlReturn_t nvmlDeviceResetMemoryLockedClocks(nvmlDevice_t device) { return unlock_clock(device, NvmlClock::memory); }

nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long* reasons) {
  return read_number(device, NvmlReading::event_reasons, reasons);
}

nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long* reasons) {
  return nvmlDeviceGetCurrentClocksEventReasons(device, reasons);
}

nvmlReturn_t nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_t* temperature) {
  if (temperature == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (temperature->version != nvmlTemperature_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  if (temperature->sensorType != NVML_TEMPERATURE_GPU) return NVML_ERROR_INVALID_ARGUMENT;
  return read_number(device, NvmlReading::temperature_c, &temperature->temperature);
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned* temperature) {
  if (sensor != NVML_TEMPERATURE_GPU) return NVML_ERROR_INVALID_ARGUMENT;
  return read_number(device, NvmlReading::temperature_c, temperature);
}

nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t threshold,
                                               unsigned* temperature) {
  if (threshold != NVML_TEMPERATURE_THRESHOLD_SLOWDOWN) {
    refuse("nvmlDeviceGetTemperatureThreshold", "a threshold other than that of the slowdown");
  }
  const NvmlAnswer<int> place = place_to_read(device);
  return give(NvmlAnswer<int>{place.outcome, process_nvml().model().slowdown_celsius}, temperature);
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned* power) {
  return read_number(device, NvmlReading::power_mw, power);
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long* energy) {
  return read_number(device, NvmlReading::energy_mj, energy);
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned* limit) {
  return read_number(device, NvmlReading::power_limit_mw, limit);
}

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  return read_number(device, NvmlReading::persistence, mode);
}

nvmlReturn_t nvmlDeviceSetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t mode) {
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  return code_of(process_nvml().set_persistence(place.value, mode == NVML_FEATURE_ENABLED));
}

nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t* values) {
  if (values == nullptr || count < 0) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  for (nvmlFieldValue_t* value = values; value != values + count; ++value) {
    const NvmlAnswer<std::int64_t> answer = read_field(place.value, value->fieldId);
    value->timestamp = microseconds_now();
    value->latencyUsec = 0;
    value->valueType = NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;
    value->nvmlReturn = code_of(answer.outcome);
    value->value.ullVal = static_cast<unsigned long long>(answer.value);
    if (answer.outcome == NvmlOutcome::gpu_is_lost) return NVML_ERROR_GPU_IS_LOST;
  }
  return NVML_SUCCESS;
}

}  // extern "C"
