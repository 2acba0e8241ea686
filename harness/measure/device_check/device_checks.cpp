#include "measure/device_check/device_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "core/units.h"

namespace stepgate {
namespace {

/// 0.1 s at 2 GHz: long against everything that the host does meanwhile.
constexpr std::int64_t long_spin_cycles = 200'000'000;
constexpr std::int64_t short_spin_cycles = 20'000'000;

/// A figure that the device refuses is absent, with its reason.
template <typename Ask>
void ask(DeviceFigures& figures, const std::string& name, Ask question) {
  try {
    figures.values[name] = static_cast<double>(question());
  } catch (const ProbeRefusal& refusal) {
    figures.absent[name] = refusal.what();
  }
}

void check_device(ProbeDevice& device, DeviceFigures& figures) {
  figures.texts = device.facts();
  device.spin(ProbeStream::compute, short_spin_cycles);
  device.synchronize();
}

/// The copy stream is idle and its event is early; the event of the compute stream comes after a spin.
void check_event_order(ProbeDevice& device, DeviceFigures& figures) {
  constexpr std::size_t early = 0;
  constexpr std::size_t late = 1;
  for (int attempt = 0; attempt < 2; ++attempt) {  // the first one creates the handles
    device.record(early, ProbeStream::copy);
    device.spin(ProbeStream::compute, short_spin_cycles);
    device.record(late, ProbeStream::compute);
    device.synchronize();
  }
  figures.values["forward_ns"] = static_cast<double>(device.elapsed_ns(early, late));
  figures.values["backward_ns"] = static_cast<double>(device.elapsed_ns(late, early));
}

/// A batch buffer that grows: its new block was just released on the host, and compute that still runs writes it.
std::int64_t wrong_bytes_of_new_buffer(ProbeDevice& device, std::int64_t bytes, bool ordered) {
  constexpr std::size_t allocated = 0;
  device.synchronize();
  device.spin(ProbeStream::compute, long_spin_cycles);
  const ProbeBlock before = device.allocate(bytes);
  device.fill(before, 7);
  device.release(before);
  const ProbeBlock buffer = device.allocate(bytes);
  if (ordered) {
    device.record(allocated, ProbeStream::compute);
    device.wait(ProbeStream::copy, allocated);
  }
  device.copy_to_device(buffer, ProbeSource::pinned, ProbeStream::copy);
  device.synchronize();
  const std::int64_t wrong = device.bytes_other_than(buffer, 1);
  device.release(buffer);
  return wrong;
}

void check_growth_race(ProbeDevice& device, DeviceFigures& figures) {
  constexpr std::int64_t bytes = 131072;
  device.prepare_source(bytes);
  wrong_bytes_of_new_buffer(device, bytes, true);  // loads the kernels, which waits for the device
  figures.values["bytes"] = static_cast<double>(bytes);
  figures.values["unordered_wrong_bytes"] = static_cast<double>(wrong_bytes_of_new_buffer(device, bytes, false));
  figures.values["ordered_wrong_bytes"] = static_cast<double>(wrong_bytes_of_new_buffer(device, bytes, true));
}

using CountDuring = std::int64_t (ProbeDevice::*)(const std::function<void()>&);

void count_syncs(ProbeDevice& device, CountDuring counter, DeviceFigures& figures) {
  for (const ProbeActionRow& row : probe_action_rows) {
    device.act(row.action);  // what only the first call does is not part of the count
    device.synchronize();
    ask(figures, std::string(row.name) + "_count", [&] { return (device.*counter)([&] { device.act(row.action); }); });
  }
  device.synchronize();
}

void check_syncs_by_warning(ProbeDevice& device, DeviceFigures& figures) {
  count_syncs(device, &ProbeDevice::warnings_during, figures);
}

void check_syncs_by_cupti(ProbeDevice& device, DeviceFigures& figures) {
  count_syncs(device, &ProbeDevice::callbacks_during, figures);
}

void check_allocator_trace(ProbeDevice& device, DeviceFigures& figures) {
  const ProbePeaks peaks = device.traced_step();
  figures.values["trace_peak_bytes"] = static_cast<double>(peaks.by_trace_bytes);
  figures.values["statistics_peak_bytes"] = static_cast<double>(peaks.by_statistics_bytes);
}

void add_work(DeviceFigures& figures, const std::function<ProbeWork()>& count) {
  try {
    const ProbeWork work = count();
    figures.values["kernels"] = static_cast<double>(work.kernels);
    figures.values["memcpys"] = static_cast<double>(work.memcpys);
    figures.values["memsets"] = static_cast<double>(work.memsets);
    if (work.driver_kernels) figures.values["driver_kernels"] = static_cast<double>(*work.driver_kernels);
  } catch (const ProbeRefusal& refusal) {
    for (const char* name : {"kernels", "memcpys", "memsets"}) figures.absent[name] = refusal.what();
  }
}

void check_work_by_cupti(ProbeDevice& device, DeviceFigures& figures) {
  add_work(figures, [&] { return device.step_counted_by_cupti(); });
}

void check_work_by_kineto(ProbeDevice& device, DeviceFigures& figures) {
  add_work(figures, [&] { return device.step_counted_by_kineto(); });
}

void check_training(ProbeDevice& device, DeviceFigures& figures) {
  const ProbeTraining training = device.train(20);
  figures.texts["last_loss"] = fmt::format("{}", training.last_loss);
  figures.texts["digest"] = training.digest;
  const auto& operators = training.nondeterministic_operators;
  if (!operators.empty()) figures.texts["nondeterministic_operators"] = fmt::format("{}", fmt::join(operators, ", "));
}

/// The device is busy meanwhile, as in a training step: then a record is queued and not executed at once.
void check_event_cost(ProbeDevice& device, DeviceFigures& figures) {
  constexpr int records = 500;
  device.record(0, ProbeStream::compute);
  device.synchronize();
  device.spin(ProbeStream::compute, long_spin_cycles);
  const std::int64_t start_ns = device.now_ns();
  for (int i = 0; i < records; ++i) device.record(0, ProbeStream::compute);
  const std::int64_t end_ns = device.now_ns();
  device.synchronize();
  figures.values["record_ns"] = static_cast<double>(end_ns - start_ns) / records;
}

std::int64_t pin_ns(ProbeDevice& device, std::int64_t bytes) {
  const std::int64_t start_ns = device.now_ns();
  device.pin(bytes);
  return device.now_ns() - start_ns;
}

void check_pinning(ProbeDevice& device, DeviceFigures& figures) {
  constexpr std::int64_t bytes = 128LL << 20;
  device.pin(4096);
  device.synchronize();
  figures.values["bytes"] = static_cast<double>(bytes);
  figures.values["idle_ns"] = static_cast<double>(pin_ns(device, bytes));
  const std::int64_t start_ns = device.now_ns();
  for (int i = 0; i < 10; ++i) device.spin(ProbeStream::compute, long_spin_cycles);  // longer than pinning takes
  figures.values["behind_work_ns"] = static_cast<double>(pin_ns(device, bytes));
  device.synchronize();
  figures.values["work_ns"] = static_cast<double>(device.now_ns() - start_ns);
}

double copy_bytes_per_s(ProbeDevice& device, ProbeBlock block, ProbeSource source, std::int64_t bytes) {
  constexpr int copies = 10;
  device.copy_to_device(block, source, ProbeStream::copy);
  device.synchronize();
  const std::int64_t start_ns = device.now_ns();
  for (int i = 0; i < copies; ++i) device.copy_to_device(block, source, ProbeStream::copy);
  device.synchronize();
  const double seconds = static_cast<double>(device.now_ns() - start_ns) / ns_per_s;
  return static_cast<double>(bytes) * copies / seconds;
}

void check_copy_rate(ProbeDevice& device, DeviceFigures& figures) {
  constexpr std::int64_t bytes = 128LL << 20;
  device.prepare_source(bytes);
  const ProbeBlock block = device.allocate(bytes);
  figures.values["pinned_bytes_per_s"] = copy_bytes_per_s(device, block, ProbeSource::pinned, bytes);
  figures.values["pageable_bytes_per_s"] = copy_bytes_per_s(device, block, ProbeSource::pageable, bytes);
  ask(figures, "link_bytes_per_s", [&] { return device.link_bytes_per_s(); });
  device.release(block);
}

/// Computes for more than a second, so that the launcher can read clock and process list meanwhile.
void check_busy(ProbeDevice& device, DeviceFigures& figures) {
  constexpr std::int64_t least_ns = 1'500'000'000;
  device.spin(ProbeStream::compute, long_spin_cycles);  // the clock rises
  device.synchronize();
  const std::int64_t begin_ns = device.now_ns();
  std::vector<double> rates;
  while (device.now_ns() - begin_ns < least_ns) {
    device.record(0, ProbeStream::compute);
    device.spin(ProbeStream::compute, long_spin_cycles);
    device.record(1, ProbeStream::compute);
    device.synchronize();
    rates.push_back(static_cast<double>(long_spin_cycles) * ns_per_s / static_cast<double>(device.elapsed_ns(0, 1)));
  }
  std::nth_element(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2), rates.end());
  figures.values["cycles_per_s"] = rates[rates.size() / 2];
  figures.values["begin_ns"] = static_cast<double>(begin_ns);
  figures.values["end_ns"] = static_cast<double>(device.now_ns());
  figures.texts["gpu_pci_bus_id"] = device.facts()["gpu_pci_bus_id"];
}

// The columns of a row: name, question, function.
constexpr std::array rows = {
    DeviceCheckRow{"device", "does the GPU open and compute?", check_device},
    DeviceCheckRow{"event_order", "do events of two streams share one clock?", check_event_order},
    DeviceCheckRow{"growth_race", "is a new buffer safe from compute that still runs?", check_growth_race},
    DeviceCheckRow{"syncs_by_warning", "which host syncs does LibTorch report?", check_syncs_by_warning},
    DeviceCheckRow{"syncs_by_cupti", "which host syncs does CUPTI report?", check_syncs_by_cupti},
    DeviceCheckRow{"allocator_trace", "does the memory trace equal the statistics?", check_allocator_trace},
    DeviceCheckRow{"work_by_cupti", "how much work does CUPTI count in a step?", check_work_by_cupti},
    DeviceCheckRow{"work_by_kineto", "how much work does Kineto count in a step?", check_work_by_kineto},
    DeviceCheckRow{"training", "which bits does a short training give?", check_training},
    DeviceCheckRow{"event_cost", "what does an event record cost?", check_event_cost},
    DeviceCheckRow{"pinning", "what does pinned memory cost, idle and behind work?", check_pinning},
    DeviceCheckRow{"copy_rate", "how fast are copies to the device?", check_copy_rate},
    DeviceCheckRow{"busy", "how fast does the clock run, while the launcher looks?", check_busy},
};

}  // namespace

std::span<const DeviceCheckRow> device_check_table() { return rows; }

const DeviceCheckRow* find_device_check(std::string_view name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const DeviceCheckRow& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace stepgate
