// Shards started by a program of the user (--nodes exec:PROGRAM), for engines that stepgate does not know.
#pragma once

#include "launch/runners/node_runner.h"

namespace stepgate {

/// Calls
///   PROGRAM submit PLAN 1,2,3 ATTEMPT [OPTION...]   one job id a line, in the order of the shards; each job runs
///                                                  `stepgate shard run PLAN N --attempt ATTEMPT [OPTION...]`
///   PROGRAM poll ID...                             "ID waiting|running|ended NODE" a line
///   PROGRAM cancel ID...
/// Each call has 30 s and must end with status 0, else Error(measure). A job that poll does not name has ended. While
/// poll fails, nothing has ended, up to `most_failed_polls` in a row.
class ProgramRunner : public NodeRunner {
 public:
  explicit ProgramRunner(std::filesystem::path program) : program_(std::move(program)) {}

  std::vector<std::string> submit(const NodeSubmission& submission) override;
  std::vector<NodeJob> poll(const std::vector<std::string>& ids) override;
  void cancel(const std::vector<std::string>& ids) override;
  double patience_s() const override { return 1; }
  double late_files_s() const override { return 60; }

 private:
  std::filesystem::path program_;
  int failed_polls_ = 0;
};

/// Own choice: half a minute of polls that fail at once, as while a scheduler restarts; a quarter of an hour of polls
/// that hang.
inline constexpr int most_failed_polls = 30;

}  // namespace stepgate
