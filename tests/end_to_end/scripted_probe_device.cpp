#include "end_to_end/scripted_probe_device.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>
#include <utility>

namespace stepgate {
namespace {

constexpr std::int64_t clock_hz = 1'980'000'000;
constexpr double link_rate = 63.0e9;
constexpr std::int64_t second_ns = 1'000'000'000;

std::int64_t time_of(double bytes, double bytes_per_s) {
  return static_cast<std::int64_t>(bytes / bytes_per_s * static_cast<double>(second_ns));
}

}  // namespace

BrokenLaws::BrokenLaws(const std::string& words) {
  std::istringstream in(words);
  for (std::string word; in >> word;) laws_.insert(word);
}

ScriptedProbeDevice::ScriptedProbeDevice(BrokenLaws broken, bool in_real_time)
    : broken_(std::move(broken)),
      in_real_time_(in_real_time),
      now_ns_(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1)) {}

std::map<std::string, std::string> ScriptedProbeDevice::facts() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const bool by_uuid = visible != nullptr && std::string(visible).starts_with("GPU-");
  return {{"gpu", "Scripted GPU"},
          {"gpu_pci_bus_id", by_uuid && broken_.has("other_gpu") ? "0000:4B:00.0" : "0000:3B:00.0"},
          {"cuda_runtime", "13.0"},
          {"torch", "2.11.0"}};
}

double ScriptedProbeDevice::link_bytes_per_s() {
  if (broken_.has("no_link")) throw ProbeRefusal("the kernel does not report the speed of the GPU's link");
  return link_rate;
}

void ScriptedProbeDevice::synchronize() {
  const std::int64_t before_ns = now_ns_;
  for (const std::int64_t end_ns : busy_until_ns_) now_ns_ = std::max(now_ns_, end_ns);
  if (in_real_time_) std::this_thread::sleep_for(std::chrono::nanoseconds(now_ns_ - before_ns));
}

std::int64_t ScriptedProbeDevice::queue(ProbeStream stream, std::int64_t length_ns) {
  now_ns_ += 3000;
  std::int64_t& end_ns = busy_until(stream);
  end_ns = std::max(end_ns, now_ns_) + length_ns;
  return end_ns;
}

void ScriptedProbeDevice::spin(ProbeStream stream, std::int64_t cycles) {
  const std::int64_t hz = broken_.has("other_clock") ? clock_hz / 2 : clock_hz;
  queue(stream, cycles * 1000 / (hz / 1'000'000));
}

void ScriptedProbeDevice::record(std::size_t event, ProbeStream stream) {
  now_ns_ += broken_.has("slow_events") ? 60'000 : 900;
  events_[event] = std::max(busy_until(stream), now_ns_);
}

void ScriptedProbeDevice::wait(ProbeStream stream, std::size_t event) {
  if (!broken_.has("event_ignored")) busy_until(stream) = std::max(busy_until(stream), events_.at(event));
}

std::int64_t ScriptedProbeDevice::elapsed_ns(std::size_t from, std::size_t to) {
  const std::int64_t elapsed = events_.at(to) - events_.at(from);
  return broken_.has("unsigned_time") ? std::abs(elapsed) : elapsed;
}

/// As the caching allocator: a block that the host released serves the next request of its size at once.
ProbeBlock ScriptedProbeDevice::allocate(std::int64_t bytes) {
  for (auto& [block, memory] : memory_) {
    const bool unused = !broken_.has("no_race") || memory.last.end_ns <= now_ns_;
    if (!memory.free || memory.bytes != bytes || !unused) continue;
    memory.free = false;
    return block;
  }
  const ProbeBlock block = memory_.size() + 1;
  memory_[block] = {.bytes = bytes, .free = false, .last = {}};
  return block;
}

void ScriptedProbeDevice::release(ProbeBlock block) { memory_.at(block).free = true; }

void ScriptedProbeDevice::write(ProbeBlock block, Written written) {
  Written& last = memory_.at(block).last;
  if (written.end_ns >= last.end_ns) last = written;
}

void ScriptedProbeDevice::fill(ProbeBlock block, int value) {
  write(block, {.end_ns = queue(ProbeStream::compute, 2000), .value = value});
}

void ScriptedProbeDevice::copy_to_device(ProbeBlock block, ProbeSource source, ProbeStream stream) {
  const double share = broken_.has("slow_link") ? 0.1 : 0.88;
  const double rate = source == ProbeSource::pinned ? share * link_rate : 0.08 * link_rate;
  write(block, {.end_ns = queue(stream, time_of(static_cast<double>(source_bytes_), rate)), .value = 1});
  if (source == ProbeSource::pageable) synchronize();
}

std::int64_t ScriptedProbeDevice::bytes_other_than(ProbeBlock block, int value) {
  synchronize();
  const Memory& memory = memory_.at(block);
  return memory.last.value == value ? 0 : memory.bytes;
}

void ScriptedProbeDevice::pin(std::int64_t bytes) {
  now_ns_ += time_of(static_cast<double>(bytes), broken_.has("slow_pinning") ? 0.1e9 : 3.5e9);
}

std::int64_t ScriptedProbeDevice::seen_of(const std::function<void()>& body, const std::set<ProbeAction>& seen) {
  acted_.clear();
  body();
  return std::count_if(acted_.begin(), acted_.end(), [&](ProbeAction action) { return seen.contains(action); });
}

std::int64_t ScriptedProbeDevice::warnings_during(const std::function<void()>& body) {
  std::set<ProbeAction> seen = {ProbeAction::item, ProbeAction::nonzero, ProbeAction::pageable_copy};
  if (broken_.has("warning_blind")) seen.erase(ProbeAction::nonzero);
  return seen_of(body, seen);
}

std::int64_t ScriptedProbeDevice::callbacks_during(const std::function<void()>& body) {
  if (broken_.has("cupti_refused")) throw ProbeRefusal("cuptiSubscribe: insufficient privileges");
  std::set<ProbeAction> seen;
  for (const ProbeActionRow& row : probe_action_rows) seen.insert(row.action);
  seen.erase(ProbeAction::kernel);
  if (broken_.has("callback_blind")) seen.erase(ProbeAction::device_malloc);
  return seen_of(body, seen);
}

ProbePeaks ScriptedProbeDevice::traced_step() {
  return {.by_trace_bytes = broken_.has("trace_short") ? 1'040'384 : 1'044'480, .by_statistics_bytes = 1'044'480};
}

ProbeWork ScriptedProbeDevice::step_counted_by_cupti() {
  if (broken_.has("cupti_refused")) throw ProbeRefusal("cuptiSubscribe: insufficient privileges");
  const std::int64_t memsets = broken_.has("memset_unrecorded") ? 4 : 1;
  return {.kernels = 31, .memcpys = 2, .memsets = memsets, .driver_kernels = 9};
}

ProbeWork ScriptedProbeDevice::step_counted_by_kineto() {
  const std::int64_t kernels = broken_.has("work_differs") ? 32 : broken_.has("kernel_unrecorded") ? 30 : 31;
  return {.kernels = kernels, .memcpys = 2, .memsets = 1};
}

ProbeTraining ScriptedProbeDevice::train(int steps) {
  const double loss = 2.5 / (steps + 1);
  const std::string digest = "5f1c09d27be3a846";
  return {.last_loss = loss, .digest = broken_.has("random_training") ? std::to_string(::getpid()) : digest};
}

}  // namespace stepgate
