#include "experiment/nodes/node_engines.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "core/error.h"
#include "environment/gpu/nvml_library.h"
#include "environment/guard/run_lock.h"
#include "experiment/nodes/merge_plan.h"
#include "experiment/nodes/plan/make_plan.h"
#include "experiment/nodes/plan/make_sweep_plan.h"
#include "experiment/nodes/shard_run.h"
#include "experiment/plan/selection.h"
#include "experiment/results/begin_results.h"
#include "launch/runners/local_runner.h"
#include "launch/runners/program_runner.h"
#include "launch/runners/slurm_runner.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

std::vector<std::string> options_of_shards(const HostOptions& host) {
  return {"--guard", std::string(name_of(host.mode)), "--wait-lock", fmt::format("{}", host.wait_lock_s)};
}

std::int64_t gpus_of_plan(const Run& run, const OpenedPlan& opened) {
  std::vector<ManifestCase> cases;
  for (const PlannedCase& planned : opened.plan.cases) {
    cases.push_back(case_named(run.project.manifest, planned.plan.case_name));
  }
  return most_gpus(cases);
}

/// Each node gets GPUs of its own.
void give_gpus_to_nodes(std::int64_t each, std::vector<LocalNode>& nodes) {
  if (each == 0) return;
  const NvmlLibrary nvml = NvmlLibrary::open();
  const GpuOffer offer = offered_here(nvml);
  const auto needed = static_cast<std::size_t>(each) * nodes.size();
  if (offer.gpus.size() < needed) {
    throw Error(ErrorKind::usage,
                fmt::format("local:{} needs {} GPUs, this machine offers {}", nodes.size(), needed, offer.gpus.size()),
                "name fewer nodes, or offer more GPUs: docs/which_gpu.md");
  }
  auto gpu = offer.gpus.begin();
  for (LocalNode& node : nodes) {
    for (std::int64_t i = 0; i < each; ++i, ++gpu) {
      node.visible_gpus += (node.visible_gpus.empty() ? "" : ",") + gpu->visible;
    }
  }
}

/// The caller holds the lock of the machine (lock_of_local_nodes). It is not taken here: a second lock of the same
/// process waits for the first.
void measure_locally(const Run& run, const OpenedPlan& opened, const NodesRequest& request,
                     const Coordination& coordination) {
  std::vector<LocalNode> nodes = local_nodes(allowed_cpus(), request.asked.count);
  give_gpus_to_nodes(gpus_of_plan(run, opened), nodes);
  {
    LocalRunner runner(std::filesystem::read_symlink("/proc/self/exe"), std::move(nodes));
    coordinate_nodes(run, opened, runner, coordination);
  }
  remove_copies_of_killed_nodes();
}

void measure_on_nodes(const Run& run, const OpenedPlan& opened, const NodesRequest& request,
                      Coordination coordination) {
  coordination.shard_options = options_of_shards(request.host);
  if (request.asked.kind == NodesKind::local) return measure_locally(run, opened, request, coordination);
  if (request.asked.kind == NodesKind::slurm) {
    SlurmRunner runner(request.launcher_command);
    return coordinate_nodes(run, opened, runner, coordination);
  }
  ProgramRunner runner(std::filesystem::absolute(request.asked.program));
  coordinate_nodes(run, opened, runner, coordination);
}

}  // namespace

std::optional<RunLock> lock_of_local_nodes(const NodesAsked& asked, const HostOptions& host, const Caller& caller) {
  if (asked.kind != NodesKind::local) return std::nullopt;
  return RunLock::acquire({host.run_lock, "stepgate --nodes", wait_for_machine(host, caller)});
}

JudgedRun compare_on_nodes(const Run& run, const OpenedPlan& opened, const NodesRequest& request) {
  JudgedRun judged{.report = {}, .notices = {}};
  const auto merge = [&](int interrupted_by) {
    judged.interrupted_by = interrupted_by;
    if (interrupted_by != 0) return;
    judged = merge_plan(run, opened);
    finish_node_plan(opened);
  };
  const auto begin = [&] { begin_results(run.caller, run.project, names_of_results(opened)); };
  measure_on_nodes(run, opened, request, {.at_the_end = merge, .at_the_start = begin});
  return judged;
}

NodeSweep sweep_on_nodes(const Run& run, const OpenedPlan& opened, const NodesRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  NodeSweep swept;
  const auto merge = [&](int interrupted_by) {
    swept = merge_sweep(run, opened, {.interrupted_by = interrupted_by, .seconds = seconds_since(start)});
    if (interrupted_by == 0) finish_sweep_plan(opened);
  };
  measure_on_nodes(run, opened, request, {.at_the_end = merge});
  return swept;
}

}  // namespace stepgate
