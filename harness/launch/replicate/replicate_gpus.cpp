#include "launch/replicate/replicate_gpus.h"

namespace stepgate {

std::vector<std::string> gpu_uuids_of(const LaunchRequest& launch) {
  std::vector<std::string> uuids;
  for (const ChosenGpu& one : launch.gpus) uuids.push_back(one.gpu.uuid);
  return uuids;
}

GpuWatch gpu_watch_of(const ReplicateRequest& request, const ProcessRequest& process) {
  const LaunchRequest& launch = request.launch;
  return {launch.plan.device == "cuda" ? launch.guard.gpu : nullptr,
          {.uuids = gpu_uuids_of(launch),
           .is_told_of_mps = process.environment.contains("CUDA_MPS_PIPE_DIRECTORY"),
           .locked_clock_mhz = launch.guard.locked_gpu_clock_mhz}};
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

}  // namespace stepgate
