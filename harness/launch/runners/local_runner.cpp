#include "launch/runners/local_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "core/error.h"
#include "environment/cpus/core_topology.h"
#include "environment/process/child_environment.h"
#include "system/descriptor.h"
#include "system/files/regular_file.h"
#include "system/start_process.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

std::string name_of_node(std::size_t node) { return fmt::format("local{}", node + 1); }

Descriptor log_of(const NodeSubmission& submission, std::int64_t shard) {
  const fs::path file = submission.plan / "log" / fmt::format("{:02}.{}.txt", shard, submission.attempt);
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  // A process of an earlier shard may have put anything in this place.
  OpenedFile log = create_own_file(file, O_WRONLY);
  if (!log.descriptor.is_open()) throw error_of(log, ErrorKind::measure, file, "cannot write");
  return std::move(log.descriptor);
}

std::vector<std::string> environment_of(const LocalNode& node, const fs::path& lock) {
  Variables variables = own_environment();
  variables["STEPGATE_RUN_LOCK"] = lock.string();
  if (!node.visible_gpus.empty()) variables["CUDA_VISIBLE_DEVICES"] = node.visible_gpus;
  std::vector<std::string> lines;
  for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
  return lines;
}

}  // namespace

std::vector<LocalNode> local_nodes(const CpuList& allowed, std::int64_t count, const std::string& synthetic) {
  std::vector<CpuList> cores;
  for (const CpuList& core : cores_of_machine(synthetic)) {
    CpuList ours = intersection(core, allowed);
    if (!ours.empty()) cores.push_back(std::move(ours));
  }
  const auto nodes = static_cast<std::size_t>(count);
  if (cores.size() < nodes) {
    throw Error(ErrorKind::usage,
                fmt::format("local:{}: each node needs a core, and there are {}", count, cores.size()),
                fmt::format("--nodes local:{}", cores.size()));
  }
  std::vector<LocalNode> found(nodes);
  for (std::size_t i = 0; i < cores.size(); ++i) {
    CpuList& cpus = found[i * nodes / cores.size()].cpus;
    cpus.insert(cpus.end(), cores[i].begin(), cores[i].end());
  }
  for (LocalNode& node : found) node.cpus = intersection(allowed, node.cpus);
  return found;
}

LocalRunner::LocalRunner(fs::path launcher, std::vector<LocalNode> nodes)
    : launcher_(std::move(launcher)), nodes_(std::move(nodes)) {}

LocalRunner::~LocalRunner() {
  for (auto& [id, running] : jobs_) {
    if (running.pid == 0) continue;
    ::kill(running.pid, SIGKILL);
    uninterrupted([&] { return ::waitpid(running.pid, nullptr, 0); });
  }
}

std::vector<std::string> LocalRunner::submit(const NodeSubmission& submission) {
  std::vector<std::string> ids;
  for (const std::int64_t shard : submission.shards) {
    // What a node lost goes to the next one.
    const auto at = static_cast<std::size_t>(shard - 1 + submission.attempt) % nodes_.size();
    const Descriptor log = log_of(submission, shard);
    const AffinityMask mask(nodes_[at].cpus);
    ProcessStart start;
    start.command = {launcher_.string(),
                     "shard",
                     "run",
                     submission.plan.string(),
                     std::to_string(shard),
                     "--attempt",
                     std::to_string(submission.attempt)};
    start.command.insert(start.command.end(), submission.options.begin(), submission.options.end());
    start.environment = environment_of(nodes_[at], submission.plan / "log" / (name_of_node(at) + ".lock"));
    start.descriptors = {{log.number(), STDOUT_FILENO}, {log.number(), STDERR_FILENO}};
    start.group = ProcessGroup::own;  // Ctrl-C reaches the caller alone, who ends them in order
    start.dies_with_caller = true;
    start.before_exec = [&mask] { static_cast<void>(mask.apply_to_calling_thread()); };
    const StartedProcess started = start_process(start);
    if (started.failure) {
      throw Error(ErrorKind::measure, fmt::format("shard {}: {}", shard, text_of(*started.failure)),
                  "check the installation of stepgate");
    }
    ids.push_back(fmt::format("{}.{}", shard, submission.attempt));
    jobs_[ids.back()] = {started.pid, at};
  }
  return ids;
}

bool LocalRunner::has_ended(Running& running) const {
  if (running.pid == 0) return true;
  if (uninterrupted([&] { return ::waitpid(running.pid, nullptr, WNOHANG); }) == 0) return false;
  running.pid = 0;
  return true;
}

std::vector<NodeJob> LocalRunner::poll(const std::vector<std::string>& ids) {
  std::vector<NodeJob> jobs;
  for (const std::string& id : ids) {
    Running& running = jobs_.at(id);
    const bool ended = has_ended(running);
    jobs.push_back({id, ended ? NodeJobState::ended : NodeJobState::running, name_of_node(running.node)});
  }
  return jobs;
}

void LocalRunner::cancel(const std::vector<std::string>& ids) {
  constexpr int most_waits = 100;  // each takes 100 ms: a shard stops its processes and hands back what is whole
  for (const std::string& id : ids) {
    if (Running& running = jobs_.at(id); !has_ended(running)) ::kill(running.pid, SIGTERM);
  }
  for (const std::string& id : ids) {
    Running& running = jobs_.at(id);
    for (int wait = 0; wait < most_waits && !has_ended(running); ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
}

}  // namespace stepgate
