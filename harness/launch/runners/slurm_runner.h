// Shards as tasks of Slurm array jobs. Needs sbatch, squeue and scancel, and no accounting database.
#pragma once

#include "launch/runners/node_runner.h"

namespace stepgate {

/// Each shard has a node alone. Slurm never starts a task again by itself: its requeue waits two minutes and runs under
/// the same id, so that one task may end twice (docs/many_machines.md, "What Slurm does"). What left the queue has
/// ended, and its files say how.
class SlurmRunner : public NodeRunner {
 public:
  /// `launcher_command`: how a shell on a node starts stepgate, e.g. its absolute path.
  explicit SlurmRunner(std::string launcher_command) : launcher_command_(std::move(launcher_command)) {}

  /// Nodes to avoid are left out where enough others are there.
  std::vector<std::string> submit(const NodeSubmission& submission) override;
  /// While the controller does not answer, nothing has ended.
  std::vector<NodeJob> poll(const std::vector<std::string>& ids) override;
  void cancel(const std::vector<std::string>& ids) override;
  double patience_s() const override { return 1; }
  double late_files_s() const override { return 60; }

 private:
  std::string launcher_command_;
};

/// The batch script of a submission. It becomes the launcher itself, so that Slurm's signals reach it: a shell runs a
/// trap only after its foreground child has ended.
std::string slurm_script(const NodeSubmission& submission, const std::string& launcher_command);

/// The options of sbatch. `avoid` false: also on the nodes to avoid.
std::vector<std::string> sbatch_command(const NodeSubmission& submission, bool avoid);

}  // namespace stepgate
