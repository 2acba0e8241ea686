// Readings and settings of NvmlDevices: each value is the script's, else what was set, else the model's.
#include <algorithm>
#include <array>
#include <sstream>

#include "emulator/nvml/nvml_devices.h"

namespace stepgate::emulator {
namespace {

constexpr std::int64_t lost_by_xid = 79;  // "GPU has fallen off the bus"
constexpr std::int64_t usual_temperature_c = 45;
constexpr std::int64_t per_thousand = 1000;
constexpr std::uint64_t bytes_in_mib = 1ULL << 20U;
// From here on a clock is one of NVML's symbols, such as "no limit".
constexpr unsigned first_clock_symbol = 0xffffff00U;
constexpr int volta = 7;
constexpr int ampere = 8;

/// Where the script says a reading, and how many of NVML's units one of its units is.
struct ReadingRow {
  NvmlReading reading;
  std::string_view key;
  std::int64_t factor;
};

constexpr std::array<ReadingRow, 14> reading_rows = {{
    {NvmlReading::core_clock_mhz, "clock_mhz", 1},
    {NvmlReading::memory_clock_mhz, "memory_clock_mhz", 1},
    {NvmlReading::power_mw, "power_w", per_thousand},
    {NvmlReading::power_limit_mw, "power_limit_w", per_thousand},
    {NvmlReading::energy_mj, "energy_j", per_thousand},
    {NvmlReading::temperature_c, "temperature_c", 1},
    {NvmlReading::event_reasons, "event_reasons", 1},
    {NvmlReading::power_cap_ns, "power_cap_ns", 1},
    {NvmlReading::thermal_ns, "thermal_ns", 1},
    {NvmlReading::persistence, "persistence", 1},
    {NvmlReading::link_generation, "link_generation", 1},
    {NvmlReading::link_width, "link_width", 1},
    {NvmlReading::ecc_change_pending, "ecc_pending", 1},
    {NvmlReading::mps_clients, "mps_clients", 1},
}};

/// "4242 800": a number and MiB. Absent for "none".
std::optional<NvmlProcess> process_from(const std::string& text) {
  std::istringstream words(text);
  unsigned pid = 0;
  std::uint64_t used_mib = 0;
  if (!(words >> pid)) return std::nullopt;
  words >> used_mib;
  return NvmlProcess{pid, used_mib * bytes_in_mib};
}

}  // namespace

ScriptProgress NvmlDevices::progress_of(int place) const {
  ScriptProgress progress;
  if (sources_.milliseconds) progress.milliseconds = sources_.milliseconds();
  if (sources_.operations) progress.operations = sources_.operations(place);
  const auto found = readings_.find(place);
  if (found != readings_.end()) progress.readings = found->second;
  return progress;
}

std::optional<std::int64_t> NvmlDevices::scripted(int place, std::string_view key) const {
  return script_.number(place, key, progress_of(place));
}

NvmlDevices::Settings NvmlDevices::settings_of(int place) const {
  const auto found = settings_.find(place);
  return found == settings_.end() ? Settings{} : found->second;
}

std::int64_t NvmlDevices::xid_of(int place) const { return scripted(place, "xid").value_or(0); }

std::int64_t NvmlDevices::xid(int place) const {
  const std::lock_guard lock(mutex_);
  return xid_of(place);
}

NvmlOutcome NvmlDevices::standing(int place) const {
  if (starts_ == 0) return NvmlOutcome::uninitialized;
  if (place < 0 || place >= options_.devices) return NvmlOutcome::invalid_argument;
  const std::int64_t lost = scripted(place, "lost_answers").value_or(0);
  if (lost != 0) return static_cast<NvmlOutcome>(lost);
  const bool is_lost = xid_of(place) == lost_by_xid || (sources_.is_lost && sources_.is_lost(place));
  return is_lost ? NvmlOutcome::gpu_is_lost : NvmlOutcome::ok;
}

NvmlOutcome NvmlDevices::begin_reading(int place) {
  const std::lock_guard lock(mutex_);
  // Counted first, so that the reading that a script names is the first one that it changes.
  if (starts_ > 0 && place >= 0 && place < options_.devices) ++readings_[place];
  return standing(place);
}

NvmlAnswer<std::int64_t> NvmlDevices::read(int place, NvmlReading what) {
  const NvmlOutcome begun = begin_reading(place);
  if (begun != NvmlOutcome::ok) return {begun, 0};
  const std::lock_guard lock(mutex_);
  for (const ReadingRow& row : reading_rows) {
    if (row.reading != what) continue;
    if (const auto value = scripted(place, row.key)) return {NvmlOutcome::ok, *value * row.factor};
  }
  return {NvmlOutcome::ok, unscripted(place, what)};
}

std::int64_t NvmlDevices::unscripted(int place, NvmlReading what) const {
  switch (what) {
    case NvmlReading::core_clock_mhz:
      return core_clock(place);
    case NvmlReading::memory_clock_mhz:
      return memory_clock(place);
    case NvmlReading::power_mw:
      return usual_power_mw();
    case NvmlReading::power_limit_mw:
      return std::int64_t{options_.model->power_limit_w} * per_thousand;
    case NvmlReading::energy_mj:
      return usual_energy_mj(place);
    case NvmlReading::temperature_c:
      return usual_temperature_c;
    case NvmlReading::persistence:
      return settings_of(place).persistence.value_or(true) ? 1 : 0;
    case NvmlReading::link_generation:
      return options_.model->pcie_generation;
    case NvmlReading::link_width:
      return nvml_link_lanes;
    case NvmlReading::event_reasons:
    case NvmlReading::power_cap_ns:
    case NvmlReading::thermal_ns:
    case NvmlReading::ecc_change_pending:
    case NvmlReading::mps_clients:
      break;
  }
  return 0;
}

std::int64_t NvmlDevices::core_clock(int place) const {
  const std::int64_t locked = scripted(place, "locked_clock_mhz").value_or(0);
  if (locked > 0) return locked;
  const std::optional<NvmlClockRange> range = settings_of(place).core;
  const std::int64_t highest = options_.model->clock_mhz;
  return range ? std::min<std::int64_t>(highest, range->highest_mhz) : highest;
}

std::int64_t NvmlDevices::memory_clock(int place) const {
  const std::optional<NvmlClockRange> range = settings_of(place).memory;
  const std::int64_t highest = options_.model->memory_clock_mhz;
  return range ? std::min<std::int64_t>(highest, range->highest_mhz) : highest;
}

std::int64_t NvmlDevices::usual_power_mw() const {
  // Own choice: half of the limit, so that no limit is reached unless a script says so.
  return std::int64_t{options_.model->power_limit_w} * per_thousand / 2;
}

std::int64_t NvmlDevices::usual_energy_mj(int place) const {
  // Not of a power that the script changes: the counter would go back where the power falls.
  return usual_power_mw() * progress_of(place).milliseconds / per_thousand;
}

NvmlAnswer<NvmlComputeMode> NvmlDevices::compute_mode(int place) {
  const NvmlOutcome begun = begin_reading(place);
  if (begun != NvmlOutcome::ok) return {begun, NvmlComputeMode::shared};
  const std::lock_guard lock(mutex_);
  const std::string mode = script_.value(place, "compute_mode", progress_of(place)).value_or("default");
  if (mode == "exclusive") return {NvmlOutcome::ok, NvmlComputeMode::exclusive_process};
  return {NvmlOutcome::ok, mode == "prohibited" ? NvmlComputeMode::prohibited : NvmlComputeMode::shared};
}

std::vector<NvmlProcess> NvmlDevices::users_of(int place) const {
  std::vector<NvmlProcess> users;
  if (sources_.processes) users = sources_.processes(place);
  if (const auto text = script_.value(place, "process", progress_of(place))) {
    if (const auto other = process_from(*text)) users.push_back(*other);
  }
  return users;
}

NvmlAnswer<std::vector<NvmlProcess>> NvmlDevices::processes(int place) {
  const NvmlOutcome begun = begin_reading(place);
  if (begun != NvmlOutcome::ok) return {begun, {}};
  const std::lock_guard lock(mutex_);
  return {NvmlOutcome::ok, users_of(place)};
}

NvmlAnswer<NvmlMemory> NvmlDevices::memory(int place) {
  const NvmlOutcome begun = begin_reading(place);
  if (begun != NvmlOutcome::ok) return {begun, {}};
  const std::lock_guard lock(mutex_);
  NvmlMemory memory{options_.memory_bytes.value_or(options_.model->memory_bytes), 0};
  memory.used_bytes = static_cast<std::uint64_t>(scripted(place, "memory_used_mib").value_or(0)) * bytes_in_mib;
  for (const NvmlProcess& one : users_of(place)) memory.used_bytes += one.used_bytes.value_or(0);
  memory.used_bytes = std::min(memory.used_bytes, memory.total_bytes);
  return {NvmlOutcome::ok, memory};
}

NvmlOutcome NvmlDevices::may_change(int place, int least_major) const {
  const NvmlOutcome now = standing(place);
  if (now != NvmlOutcome::ok) return now;
  if (options_.model->major < least_major) return NvmlOutcome::not_supported;
  return scripted(place, "permission").value_or(1) == 0 ? NvmlOutcome::no_permission : NvmlOutcome::ok;
}

NvmlOutcome NvmlDevices::set_persistence(int place, bool on) {
  const std::lock_guard lock(mutex_);
  const NvmlOutcome allowed = may_change(place, 0);
  if (allowed == NvmlOutcome::ok) settings_[place].persistence = on;
  return allowed;
}

NvmlOutcome NvmlDevices::lock(int place, NvmlClock clock, NvmlClockRange range) {
  const std::lock_guard lock(mutex_);
  const NvmlOutcome allowed = may_change(place, clock == NvmlClock::core ? volta : ampere);
  if (allowed != NvmlOutcome::ok) return allowed;
  const bool is_range = range.lowest_mhz <= range.highest_mhz && range.highest_mhz < first_clock_symbol;
  if (!is_range || range.lowest_mhz == 0) return NvmlOutcome::invalid_argument;
  Settings& settings = settings_[place];
  (clock == NvmlClock::core ? settings.core : settings.memory) = range;
  return NvmlOutcome::ok;
}

NvmlOutcome NvmlDevices::unlock(int place, NvmlClock clock) {
  const std::lock_guard lock(mutex_);
  const NvmlOutcome allowed = may_change(place, clock == NvmlClock::core ? volta : ampere);
  if (allowed != NvmlOutcome::ok) return allowed;
  Settings& settings = settings_[place];
  (clock == NvmlClock::core ? settings.core : settings.memory).reset();
  return NvmlOutcome::ok;
}

}  // namespace stepgate::emulator
