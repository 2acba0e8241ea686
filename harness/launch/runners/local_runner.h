// Nodes of one machine: each has CPUs, and GPUs, of its own.
#pragma once

#include <sys/types.h>

#include <map>

#include "environment/cpus/cpu_list.h"
#include "launch/runners/node_runner.h"

namespace stepgate {

struct LocalNode {
  CpuList cpus;
  std::string visible_gpus = {};  ///< for CUDA_VISIBLE_DEVICES; "" leaves the variable as it is
};

/// `allowed` cut into `count` parts of whole cores, as equal as can be, in the order of the machine. Throws
/// Error(usage) where there are fewer cores than nodes. `synthetic` as in environment/cpus/core_topology.h.
std::vector<LocalNode> local_nodes(const CpuList& allowed, std::int64_t count, const std::string& synthetic = "");

/// Each shard is a process `stepgate shard run`, pinned to a node's CPUs. It has a run lock of its own, because the
/// caller holds that of the machine, and ends with the caller. What it prints goes to PLAN/log/NN.K.txt.
class LocalRunner : public NodeRunner {
 public:
  /// `launcher`: this program, absolute.
  LocalRunner(std::filesystem::path launcher, std::vector<LocalNode> nodes);
  ~LocalRunner() override;
  LocalRunner(const LocalRunner&) = delete;
  LocalRunner& operator=(const LocalRunner&) = delete;

  std::vector<std::string> submit(const NodeSubmission& submission) override;
  std::vector<NodeJob> poll(const std::vector<std::string>& ids) override;
  void cancel(const std::vector<std::string>& ids) override;
  double patience_s() const override { return 0.2; }
  double late_files_s() const override { return 0; }

 private:
  struct Running {
    pid_t pid = 0;  ///< 0: it has ended
    std::size_t node = 0;
  };
  bool has_ended(Running& running) const;

  std::filesystem::path launcher_;
  std::vector<LocalNode> nodes_;
  std::map<std::string, Running> jobs_;
};

}  // namespace stepgate
