#include "launch/replicate/found_gpus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "environment/gpu/pci_bus_id.h"

namespace stepgate {
namespace {

std::vector<std::string> names_of(const std::vector<ChosenGpu>& gpus) {
  std::vector<std::string> names;
  for (const ChosenGpu& one : gpus) names.push_back(one.visible.empty() ? one.gpu.uuid : one.visible);
  return names;
}

}  // namespace

std::vector<std::string> bus_ids_of(const RunRecord& record) {
  const auto fact = record.fingerprint.find("gpu_pci_bus_id");
  std::vector<std::string> ids;
  if (fact == record.fingerprint.end()) return ids;
  for (std::size_t begin = 0; begin < fact->second.size();) {
    const std::size_t end = std::min(fact->second.find(',', begin), fact->second.size());
    ids.push_back(kernel_pci_bus_id(fact->second.substr(begin, end - begin)));
    begin = end + 1;
  }
  return ids;
}

FoundGpus found_gpus(const std::vector<std::string>& bus_ids, const std::vector<Gpu>& listed) {
  FoundGpus found;
  for (const std::string& id : bus_ids) {
    const auto gpu = std::find_if(listed.begin(), listed.end(),
                                  [&](const Gpu& one) { return kernel_pci_bus_id(one.pci_bus_id) == id; });
    if (gpu == listed.end()) {
      return {{}, fmt::format("ran on the GPU {}, which the driver does not list to stepgate", id)};
    }
    found.gpus.push_back({*gpu, gpu->mig == Mig::on ? "" : gpu->uuid});
  }
  return found;
}

std::vector<ChosenGpu> take_found_gpus(const LaunchRequest& request, Replicate& done) {
  // Group reference uses one GPU, whatever the case does.
  if (request.plan.device != Device::cuda || request.guard.gpu == nullptr || !done.record ||
      done.group == Group::reference) {
    return {};
  }
  const auto listed = request.guard.gpu->gpus();
  if (!listed.value || listed.value->empty()) return {};
  FoundGpus found = found_gpus(bus_ids_of(*done.record), *listed.value);
  if (found.problem.empty()) return std::move(found.gpus);
  done.record.reset();
  done.failure = {FailureKind::wrong_case, std::move(found.problem), ""};
  return {};
}

std::optional<ReplicateFailure> lost_gpu(const std::vector<ChosenGpu>& given, const std::vector<ProcessPlace>& places) {
  const bool without = std::any_of(places.begin(), places.end(),
                                   [](const ProcessPlace& place) { return place.stage == RunStage::no_device; });
  if (given.empty() || !without) return std::nullopt;
  return ReplicateFailure{FailureKind::exited_nonzero,
                          fmt::format("says that CUDA offers it no device, and the driver lists {}, which it was given "
                                      "in CUDA_VISIBLE_DEVICES: the GPU, the driver or the CUDA libraries are broken",
                                      fmt::join(names_of(given), ", ")),
                          ""};
}

bool is_gpu_too_small(const std::vector<ProcessPlace>& places) {
  return std::any_of(places.begin(), places.end(),
                     [](const ProcessPlace& place) { return place.stage == RunStage::gpu_too_small; });
}

std::string visible_text(const std::vector<ChosenGpu>& gpus) {
  const bool unnamed = std::any_of(gpus.begin(), gpus.end(), [](const ChosenGpu& one) { return one.visible.empty(); });
  return unnamed ? "" : fmt::format("{}", fmt::join(names_of(gpus), ","));
}

}  // namespace stepgate
