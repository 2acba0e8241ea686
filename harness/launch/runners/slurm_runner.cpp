#include "launch/runners/slurm_runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "launch/runners/engine_call.h"

namespace stepgate {
namespace {

std::string in_quotes(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// PD waits; a task that is configured, runs or completes has a node. Others have left the queue.
NodeJobState state_of_task(const std::string& code) {
  if (code == "PD") return NodeJobState::waiting;
  return code == "R" || code == "CF" || code == "CG" || code == "S" ? NodeJobState::running : NodeJobState::ended;
}

}  // namespace

std::string slurm_script(const NodeSubmission& submission, const std::string& launcher_command) {
  std::string line = fmt::format("exec {} shard run {} \"$SLURM_ARRAY_TASK_ID\" --attempt {}", launcher_command,
                                 in_quotes(submission.plan.string()), submission.attempt);
  for (const std::string& option : submission.options) line += " " + in_quotes(option);
  return "#!/bin/bash\n" + line + "\n";
}

std::vector<std::string> sbatch_command(const NodeSubmission& submission, bool avoid) {
  std::vector<std::string> command = {
      "sbatch",
      "--parsable",
      "--job-name=stepgate",
      "--no-requeue",
      "--export=NONE",     // the nodes' own environment, not that of whoever submits
      "--propagate=NONE",  // nor the limits of that shell: memlock decides about pinned memory
      "--exclusive",
      "--signal=B:TERM@60",  // time to hand back what is whole
      "--array=" + comma_list(submission.shards),
      fmt::format("--output={}/log/%a.{}.txt", submission.plan.string(), submission.attempt)};
  if (submission.gpus > 0) command.push_back(fmt::format("--gres=gpu:{}", submission.gpus));
  if (avoid && !submission.avoided.empty()) {
    command.push_back(fmt::format("--exclude={}", fmt::join(submission.avoided, ",")));
  }
  return command;
}

std::vector<std::string> SlurmRunner::submit(const NodeSubmission& submission) {
  std::filesystem::create_directories(submission.plan / "log");
  const std::string script = slurm_script(submission, launcher_command_);
  auto printed = engine_lines(sbatch_command(submission, true), script);
  if (!printed && !submission.avoided.empty()) printed = engine_lines(sbatch_command(submission, false), script);
  if (!printed || printed->empty()) {
    throw Error(
        ErrorKind::measure, "sbatch refused the job",
        fmt::format("try it: {} < script; sinfo shows the nodes", fmt::join(sbatch_command(submission, false), " ")));
  }
  const std::string job = printed->back().substr(0, printed->back().find(';'));  // "12" or "12;cluster"
  std::vector<std::string> ids;
  for (const std::int64_t shard : submission.shards) ids.push_back(fmt::format("{}_{}", job, shard));
  return ids;
}

std::vector<NodeJob> SlurmRunner::poll(const std::vector<std::string>& ids) {
  // -r: pending tasks of an array each have a line.
  const auto lines = engine_lines({"squeue", "-h", "-r", "--me", "--name=stepgate", "-o", "%i %t %N"});
  std::vector<NodeJob> jobs;
  for (const std::string& id : ids) jobs.push_back({id, lines ? NodeJobState::ended : NodeJobState::running, ""});
  if (!lines) return jobs;
  for (const std::string& line : *lines) {
    std::istringstream words(line);
    std::string id, code, node;
    words >> id >> code >> node;
    const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const NodeJob& one) { return one.id == id; });
    if (job != jobs.end()) *job = {id, state_of_task(code), node};
  }
  return jobs;
}

void SlurmRunner::cancel(const std::vector<std::string>& ids) {
  std::vector<std::string> command = {"scancel"};
  command.insert(command.end(), ids.begin(), ids.end());
  engine_lines(command);
}

}  // namespace stepgate
