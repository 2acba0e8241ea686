#include "launch/replicate/replicate_gpus.h"

#include <algorithm>
#include <utility>

#include "environment/gpu/gpu_facts.h"
#include "environment/process/child_environment.h"
#include "environment/process/secret_mask.h"
#include "launch/replicate/found_gpus.h"

namespace stepgate {
namespace {

/// A driver that this machine has beside it is not the one that the process found.
void replace_driver(GpuDriver* driver, Fingerprint& facts) {
  facts.erase("gpu_driver");
  if (driver == nullptr) return;
  if (const auto version = driver->version(); version.value) facts["gpu_driver"] = *version.value;
}

}  // namespace

std::vector<std::string> gpu_uuids_of(const LaunchRequest& launch) {
  std::vector<std::string> uuids;
  for (const ChosenGpu& one : launch.gpus) uuids.push_back(one.gpu.uuid);
  return uuids;
}

GpuWatch gpu_watch_of(const ReplicateRequest& request, const ProcessRequest& process) {
  const LaunchRequest& launch = request.launch;
  return {launch.plan.device == Device::cuda ? launch.guard.gpu : nullptr,
          {.uuids = gpu_uuids_of(launch),
           .is_told_of_mps = process.environment.contains("CUDA_MPS_PIPE_DIRECTORY"),
           .locked_clock_mhz = launch.guard.locked_gpu_clock_mhz}};
}

EnergyWatch energy_watch_of(const ReplicateRequest& request, const ProcessRequest& process) {
  const LaunchRequest& launch = request.launch;
  const bool takes_turns = process.inherited >= 0;
  const bool is_split =
      std::any_of(launch.gpus.begin(), launch.gpus.end(), [](const ChosenGpu& one) { return one.gpu.mig == Mig::on; });
  return EnergyWatch(
      {.driver = launch.plan.device == Device::cuda ? launch.guard.gpu : nullptr,
       .uuids = gpu_uuids_of(launch),
       .why_no_gpu = is_split ? "the GPU is split (MIG): its counter covers other users too" : "",
       .why_not = takes_turns ? "the other process of the pair used energy between the windows of this one" : ""});
}

void add_lost_gpu(const std::string& sentence, Replicate& replicate) {
  if (sentence.empty()) return;
  replicate.record.reset();
  if (!replicate.failure) {
    replicate.failure = {FailureKind::crashed, sentence, ""};
    return;
  }
  const FailureKind kind = replicate.failure->kind;
  if (kind == FailureKind::unavailable || kind == FailureKind::gpu_too_small)
    replicate.failure->kind = FailureKind::crashed;
  replicate.failure->message += "; " + sentence;
}

void add_gpu_faults(const GpuAnswer<std::vector<GpuFault>>& faults, Replicate& replicate) {
  constexpr EvidenceKey key = EvidenceKey::gpu_xid_errors;
  if (!faults.value) {
    replicate.evidence.absent[key] = faults.reason;
    return;
  }
  std::vector<GpuFault> of_machine = *faults.value;
  std::erase_if(of_machine, is_of_program);
  replicate.evidence.values[key] = static_cast<double>(of_machine.size());
  if (of_machine.empty() || !replicate.failure || replicate.failure->kind == FailureKind::interrupted) return;
  replicate.failure->kind = FailureKind::infrastructure;
  replicate.failure->message += "; meanwhile the GPU's driver reported " + text_of(of_machine);
}

void add_gpu_facts(const LaunchRequest& request, Fingerprint& facts) {
  if (request.plan.device != Device::cuda) return;
  const Variables parent = own_environment();
  const Variables pinned = pinned_variables(request.plan, Group::timed, visible_text(request.gpus));
  const Variables child = child_environment(parent, pinned, request.passed_variables);
  facts["gpu_environment"] = SecretMask(parent).masked(gpu_environment_fact(child, pinned));
  if (std::string tools = injected_tools_fact(child); !tools.empty()) facts["injected_tools"] = std::move(tools);
  if (request.guard.gpu != nullptr) facts.merge(gpu_facts(*request.guard.gpu, gpu_uuids_of(request)));
  if (request.emulated) replace_driver(request.guard.gpu, facts);
}

}  // namespace stepgate
