#include "environment/gpu/nvml_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <utility>

#include "environment/gpu/nvml_session.h"
#include "environment/gpu/nvml_values.h"
#include "environment/gpu/xid_listener.h"

namespace stepgate {
namespace {

using nvml::refused;

/// The answer with its value, if any, put through `convert`.
template <typename Convert>
auto converted(const GpuAnswer<std::int64_t>& answer, const Convert& convert)
    -> GpuAnswer<decltype(convert(std::int64_t{}))> {
  if (!answer.value) return {std::nullopt, answer.code, answer.reason};
  return {convert(*answer.value), 0, ""};
}

bool is_on(std::int64_t state) { return state != 0; }
double from_thousandths(std::int64_t value) { return static_cast<double>(value) * 1e-3; }

class NvmlDriver final : public GpuDriver {
 public:
  explicit NvmlDriver(nvml::LibraryHandle library) : session_(std::move(library)) {}
  NvmlDriver(const NvmlDriver&) = delete;
  NvmlDriver& operator=(const NvmlDriver&) = delete;

  GpuOutcome start() { return session_.start(); }

  GpuAnswer<std::vector<Gpu>> gpus() override {
    unsigned count = 0;
    const GpuOutcome counted = session_.call(table_.count, &count);
    if (counted.code != 0) return refused<std::vector<Gpu>>(counted);
    std::vector<Gpu> found;
    GpuOutcome last_refusal;
    for (unsigned index = 0; index < count; ++index) {
      // The count includes GPUs that a container was not given.
      nvml::Device* device = nullptr;
      GpuOutcome outcome = session_.call(table_.by_index, index, &device);
      Gpu gpu;
      if (outcome.code == 0) outcome = describe(device, gpu);
      if (outcome.code == 0) {
        found.push_back(std::move(gpu));
      } else {
        last_refusal = outcome;
      }
    }
    if (found.empty() && last_refusal.code != 0) return refused<std::vector<Gpu>>(last_refusal);
    return {std::move(found), 0, ""};
  }

  GpuAnswer<std::string> version() override {
    std::array<char, 80> text{};
    const GpuOutcome outcome = session_.call(table_.driver_version, text.data(), static_cast<unsigned>(text.size()));
    if (outcome.code != 0) return refused<std::string>(outcome);
    return {nvml::text_in(text), 0, ""};
  }

  GpuAnswer<bool> persistence(const std::string& uuid) override {
    return converted(session_.number<int>(uuid, table_.persistence), is_on);
  }
  GpuOutcome set_persistence(const std::string& uuid, bool on) override {
    return session_.on_gpu(uuid, table_.set_persistence, on ? 1 : 0);
  }

  GpuOutcome lock_clock(const std::string& uuid, GpuClock clock, ClockRange range) override {
    // Numbers from 0xffffff00 on are the library's symbols for "no limit" and the like.
    constexpr std::int64_t most = 1'000'000;
    if (range.lowest_mhz <= 0 || range.lowest_mhz > range.highest_mhz || range.highest_mhz > most) {
      return {EINVAL, fmt::format("{} to {} MHz is not a range of clocks", range.lowest_mhz, range.highest_mhz)};
    }
    return session_.on_gpu(uuid, clock == GpuClock::core ? table_.lock_core : table_.lock_memory,
                           static_cast<unsigned>(range.lowest_mhz), static_cast<unsigned>(range.highest_mhz));
  }
  GpuOutcome reset_clock(const std::string& uuid, GpuClock clock) override {
    return session_.on_gpu(uuid, clock == GpuClock::core ? table_.reset_core : table_.reset_memory);
  }

  GpuAnswer<std::int64_t> clock_mhz(const std::string& uuid, GpuClock clock) override {
    return session_.number<unsigned>(uuid, table_.clock, clock == GpuClock::core ? nvml::clock_sm : nvml::clock_memory);
  }
  GpuAnswer<std::int64_t> highest_clock_mhz(const std::string& uuid, GpuClock clock) override {
    return session_.number<unsigned>(uuid, table_.highest_clock,
                                     clock == GpuClock::core ? nvml::clock_graphics : nvml::clock_memory);
  }
  GpuAnswer<bool> idle(const std::string& uuid) override {
    const auto& symbol = table_.event_reasons.call != nullptr ? table_.event_reasons : table_.throttle_reasons;
    return converted(session_.number<unsigned long long>(uuid, symbol), [](std::int64_t reasons) {
      return (static_cast<unsigned long long>(reasons) & nvml::event_reason_idle) != 0;
    });
  }
  GpuAnswer<double> temperature_c(const std::string& uuid) override {
    nvml::Temperature now{nvml::temperature_version, nvml::temperature_of_gpu, 0};
    const GpuOutcome outcome = session_.on_gpu(uuid, table_.temperature, &now);
    if (outcome.code == 0) return {static_cast<double>(now.celsius), 0, ""};
    if (outcome.code != ENOTSUP) return refused<double>(outcome);
    return converted(session_.number<unsigned>(uuid, table_.older_temperature, nvml::temperature_of_gpu),
                     [](std::int64_t celsius) { return static_cast<double>(celsius); });
  }
  GpuAnswer<double> power_w(const std::string& uuid) override {
    return converted(session_.number<unsigned>(uuid, table_.power), from_thousandths);
  }
  GpuAnswer<double> total_energy_j(const std::string& uuid) override {
    return converted(session_.number<unsigned long long>(uuid, table_.total_energy), from_thousandths);
  }
  GpuAnswer<double> power_limit_w(const std::string& uuid) override {
    return converted(session_.number<unsigned>(uuid, table_.power_limit), from_thousandths);
  }

  GpuCounters counters(const std::string& uuid) override {
    std::array<nvml::FieldValue, 5> fields{};
    constexpr std::array<unsigned, 5> numbers = {nvml::field_power_cap, nvml::field_sync_boost,
                                                 nvml::field_software_thermal, nvml::field_hardware_thermal,
                                                 nvml::field_power_brake};
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i].field_id = numbers[i];
    const GpuOutcome outcome = session_.on_gpu(uuid, table_.fields, static_cast<int>(fields.size()), fields.data());
    const auto at = [&](std::size_t i) {
      return outcome.code == 0 ? counter(fields[i]) : refused<std::int64_t>(outcome);
    };
    return {at(0), at(1), at(2), at(3), at(4)};
  }

  GpuAnswer<PcieLink> pcie_link(const std::string& uuid) override {
    return link(uuid, table_.pcie_generation, table_.pcie_width);
  }
  GpuAnswer<PcieLink> highest_pcie_link(const std::string& uuid) override {
    return link(uuid, table_.highest_pcie_generation, table_.highest_pcie_width);
  }
  GpuAnswer<bool> ecc(const std::string& uuid) override {
    int now = 0;
    int after_reboot = 0;
    const GpuOutcome outcome = session_.on_gpu(uuid, table_.ecc, &now, &after_reboot);
    if (outcome.code != 0) return refused<bool>(outcome);
    return {now != 0, 0, ""};
  }
  GpuAnswer<std::string> compute_mode(const std::string& uuid) override {
    return converted(session_.number<int>(uuid, table_.compute_mode), nvml::mode_named);
  }

  GpuAnswer<GpuUsers> users(const std::string& uuid) override {
    auto computing = listed(uuid, table_.compute_processes);
    if (!computing.value) return {std::nullopt, computing.code, computing.reason};
    const auto clients = listed(uuid, table_.mps_processes);
    if (!clients.value && clients.code != ENOTSUP) return {std::nullopt, clients.code, clients.reason};
    GpuUsers users;
    if (clients.value) {
      users.mps_clients = static_cast<std::int64_t>(clients.value->size());
      computing.value->insert(computing.value->end(), clients.value->begin(), clients.value->end());
    }
    users.processes = distinct(std::move(*computing.value));
    return {users, 0, ""};
  }
  GpuAnswer<std::int64_t> memory_used_bytes(const std::string& uuid) override {
    nvml::MemoryInfo memory{};
    memory.version = nvml::memory_info_version;
    const GpuOutcome outcome = session_.on_gpu(uuid, table_.memory, &memory);
    if (outcome.code != 0) return refused<std::int64_t>(outcome);
    return {static_cast<std::int64_t>(memory.used), 0, ""};
  }

  GpuAnswer<std::vector<std::int64_t>> xids_after(const std::string& uuid, std::size_t known) override {
    return xids_.after(uuid, known);
  }

  GpuAnswer<CpuList> near_cpus(const std::string& uuid) override {
    constexpr int bits = std::numeric_limits<unsigned long>::digits;
    std::array<unsigned long, 8192 / bits> words{};  // as many CPUs as a Linux kernel is built for
    const GpuOutcome outcome = session_.on_gpu(uuid, table_.cpus, static_cast<unsigned>(words.size()), words.data(),
                                               nvml::affinity_scope_node);
    if (outcome.code != 0) return refused<CpuList>(outcome);
    CpuList cpus;
    for (int cpu = 0; cpu < static_cast<int>(words.size()) * bits; ++cpu) {
      if ((words[static_cast<std::size_t>(cpu / bits)] >> (cpu % bits) & 1UL) != 0) cpus.push_back(cpu);
    }
    return {std::move(cpus), 0, ""};
  }

 private:
  GpuAnswer<std::int64_t> counter(const nvml::FieldValue& field) const {
    GpuOutcome outcome =
        session_.outcome_of(fmt::format("{} {}", table_.fields.name, field.field_id).c_str(), field.result);
    if (outcome.code == EINVAL) outcome.code = ENOTSUP;  // a driver older than the field
    const auto value = nvml::whole_number(field);
    if (outcome.code == 0 && !value) outcome = {EIO, fmt::format("field {} is of no known type", field.field_id)};
    if (outcome.code == 0 && *value < 0) outcome = {EIO, fmt::format("field {} is below zero", field.field_id)};
    if (outcome.code != 0) return refused<std::int64_t>(outcome);
    return {value, 0, ""};
  }

  GpuOutcome describe(nvml::Device* device, Gpu& gpu) const {
    std::array<char, 96> uuid{};
    GpuOutcome outcome = session_.call(table_.uuid, device, uuid.data(), static_cast<unsigned>(uuid.size()));
    if (outcome.code != 0) return outcome;
    gpu.uuid = nvml::text_in(uuid);
    std::array<char, 96> name{};
    const GpuOutcome named = session_.call(table_.name, device, name.data(), static_cast<unsigned>(name.size()));
    if (named.code == 0) gpu.name = nvml::text_in(name);
    nvml::PciInfo pci{};
    if (session_.call(table_.pci_info, device, &pci).code == 0) gpu.pci_bus_id = nvml::text_in(pci.bus_id);
    gpu.mig = mig_of(device);
    if (gpu.mig == Mig::on) gpu.instances = instances_of(device);
    int mode = 0;
    gpu.is_virtual = session_.call(table_.virtualization, device, &mode).code == 0 && mode == nvml::virtualization_vgpu;
    return {};
  }

  Mig mig_of(nvml::Device* device) const {
    unsigned now = 0;
    unsigned pending = 0;
    const GpuOutcome outcome = session_.call(table_.mig_mode, device, &now, &pending);
    if (outcome.code == 0) return now == 0 ? Mig::off : Mig::on;
    return outcome.code == ENOTSUP && table_.mig_mode.call != nullptr ? Mig::off : Mig::unknown;
  }

  /// Places without an instance are left out, and so is one that the driver does not describe.
  std::vector<MigInstance> instances_of(nvml::Device* gpu) const {
    std::vector<MigInstance> found;
    unsigned most = 0;
    if (session_.call(table_.most_instances, gpu, &most).code != 0) return found;
    for (unsigned place = 0; place < most; ++place) {
      nvml::Device* device = nullptr;
      std::array<char, 96> uuid{};
      unsigned gpu_instance = 0;
      unsigned compute_instance = 0;
      const bool described =
          session_.call(table_.instance, gpu, place, &device).code == 0 &&
          session_.call(table_.uuid, device, uuid.data(), static_cast<unsigned>(uuid.size())).code == 0 &&
          session_.call(table_.gpu_instance, device, &gpu_instance).code == 0 &&
          session_.call(table_.compute_instance, device, &compute_instance).code == 0;
      if (described) found.push_back({nvml::text_in(uuid), gpu_instance, compute_instance});
    }
    return found;
  }

  GpuAnswer<PcieLink> link(const std::string& uuid, const nvml::Symbol<nvml::Table::ReadNumber>& of_generation,
                           const nvml::Symbol<nvml::Table::ReadNumber>& of_width) const {
    const auto generation = session_.number<unsigned>(uuid, of_generation);
    if (!generation.value) return {std::nullopt, generation.code, generation.reason};
    return converted(session_.number<unsigned>(uuid, of_width), [&](std::int64_t lanes) {
      return PcieLink{*generation.value, lanes};
    });
  }

  /// Numbers of processes, as the driver sees them.
  GpuAnswer<std::vector<unsigned>> listed(const std::string& uuid,
                                          const nvml::Symbol<nvml::Table::ReadProcesses>& symbol) const {
    constexpr unsigned most = 1'000'000;
    std::vector<nvml::ProcessInfo> rows(64);
    for (;;) {
      auto count = static_cast<unsigned>(rows.size());
      const GpuOutcome outcome = session_.on_gpu(uuid, symbol, &count, rows.data());
      const bool too_small = count > rows.size() && count < most;
      if (outcome.code == 0 && count <= rows.size()) {
        std::vector<unsigned> numbers;
        for (unsigned i = 0; i < count; ++i) numbers.push_back(rows[i].pid);
        return {std::move(numbers), 0, ""};
      }
      if (!too_small) {
        if (outcome.code != 0) return refused<std::vector<unsigned>>(outcome);
        return {std::nullopt, EIO, fmt::format("{}: says that it lists {} processes", symbol.name, count)};
      }
      rows.resize(rows.size() + count);  // more than asked for: others start meanwhile
    }
  }

  /// A process whose number the driver hides (0) counts each time.
  static std::int64_t distinct(std::vector<unsigned> numbers) {
    std::sort(numbers.begin(), numbers.end());
    const auto shown = std::upper_bound(numbers.begin(), numbers.end(), 0U);
    return (shown - numbers.begin()) + (std::unique(shown, numbers.end()) - shown);
  }

  nvml::Session session_;
  const nvml::Table& table_ = session_.table();
  nvml::XidListener xids_{session_};
};

}  // namespace

NvmlLibrary NvmlLibrary::open(const std::string& path) {
  NvmlLibrary opened;
  nvml::LibraryHandle library(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), ::dlclose);
  if (library == nullptr) {
    const char* why = ::dlerror();
    opened.reason_ = fmt::format("no NVIDIA driver: {}", why == nullptr ? path : why);
    opened.code_ = ENODEV;
    return opened;
  }
  auto driver = std::make_unique<NvmlDriver>(std::move(library));
  GpuOutcome started = driver->start();
  opened.code_ = started.code;
  opened.reason_ = std::move(started.reason);
  if (started.code == 0) opened.driver_ = std::move(driver);
  return opened;
}

}  // namespace stepgate
