// A GPU in virtual time for the checks of stepgate_device_check. Each of its laws can be broken by name.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "measure/device_check/probe_device.h"

namespace stepgate {

/// The words of STEPGATE_SCRIPTED_DEVICE, with blanks between them. A word breaks one law:
///
///   other_gpu        a UUID in CUDA_VISIBLE_DEVICES opens another GPU
///   unsigned_time    an elapsed time is never negative
///   event_ignored    a stream does not wait for an event
///   no_race          a released block is given out again only when it is unused
///   warning_blind    LibTorch does not warn of nonzero
///   callback_blind   CUPTI does not report cudaMalloc
///   cupti_refused    CUPTI refuses
///   trace_short      the memory trace misses a block
///   work_differs     Kineto sees a kernel more
///   kernel_unrecorded, memset_unrecorded: a kernel, or three memsets, leave no record that Kineto sees
///   random_training  two processes train differently
///   slow_events, slow_pinning, slow_link, no_link, other_clock
///   crash=NAME, hang=NAME, silent=NAME, garbage=NAME, fail=NAME: the process of this check
class BrokenLaws {
 public:
  explicit BrokenLaws(const std::string& words);
  bool has(const std::string& law) const { return laws_.contains(law); }

 private:
  std::set<std::string> laws_;
};

class ScriptedProbeDevice final : public ProbeDevice {
 public:
  /// With `in_real_time` a synchronisation takes as long as the work: the launcher looks at the device meanwhile.
  ScriptedProbeDevice(BrokenLaws broken, bool in_real_time);

  std::map<std::string, std::string> facts() override;
  double link_bytes_per_s() override;
  std::int64_t now_ns() override { return now_ns_; }
  void synchronize() override;
  void spin(ProbeStream stream, std::int64_t cycles) override;
  void record(std::size_t event, ProbeStream stream) override;
  void wait(ProbeStream stream, std::size_t event) override;
  std::int64_t elapsed_ns(std::size_t from, std::size_t to) override;
  ProbeBlock allocate(std::int64_t bytes) override;
  void release(ProbeBlock block) override;
  void fill(ProbeBlock block, int value) override;
  void prepare_source(std::int64_t bytes) override { source_bytes_ = bytes; }
  void copy_to_device(ProbeBlock block, ProbeSource source, ProbeStream stream) override;
  std::int64_t bytes_other_than(ProbeBlock block, int value) override;
  void pin(std::int64_t bytes) override;
  void act(ProbeAction action) override { acted_.push_back(action); }
  std::int64_t warnings_during(const std::function<void()>& body) override;
  std::int64_t callbacks_during(const std::function<void()>& body) override;
  ProbePeaks traced_step() override;
  ProbeWork step_counted_by_cupti() override;
  ProbeWork step_counted_by_kineto() override;
  ProbeTraining train(int steps) override;

 private:
  struct Written {
    std::int64_t end_ns = 0;
    int value = 0;
  };
  struct Memory {
    std::int64_t bytes = 0;
    bool free = false;
    Written last;  ///< the write that ends last, whatever the order of the calls
  };

  std::int64_t& busy_until(ProbeStream stream) { return busy_until_ns_[static_cast<std::size_t>(stream)]; }
  /// Queues work and returns its end.
  std::int64_t queue(ProbeStream stream, std::int64_t length_ns);
  void write(ProbeBlock block, Written written);
  std::int64_t seen_of(const std::function<void()>& body, const std::set<ProbeAction>& seen);

  BrokenLaws broken_;
  bool in_real_time_;
  std::int64_t now_ns_;
  std::array<std::int64_t, 2> busy_until_ns_ = {};
  std::map<std::size_t, std::int64_t> events_;
  std::map<ProbeBlock, Memory> memory_;
  std::int64_t source_bytes_ = 0;
  std::vector<ProbeAction> acted_;
};

}  // namespace stepgate
