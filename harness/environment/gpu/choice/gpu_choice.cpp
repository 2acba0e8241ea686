#include "environment/gpu/choice/gpu_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "environment/gpu/choice/resource_ids.h"
#include "environment/gpu/choice/visible_devices.h"

namespace stepgate {
namespace {

using Environment = std::map<std::string, std::string>;

std::string value_or_nothing(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

bool offers(const GpuOffer& offer, const ChosenGpu& wanted) {
  return std::any_of(offer.gpus.begin(), offer.gpus.end(),
                     [&](const ChosenGpu& gpu) { return gpu.gpu.uuid == wanted.gpu.uuid; });
}

/// The first of `inner` that `outer` does not offer.
std::optional<ChosenGpu> not_offered(const GpuOffer& inner, const GpuOffer& outer) {
  const auto found =
      std::find_if(inner.gpus.begin(), inner.gpus.end(), [&](const ChosenGpu& gpu) { return !offers(outer, gpu); });
  return found == inner.gpus.end() ? std::nullopt : std::optional(*found);
}

constexpr const char* name_by_uuid =
    "name the GPU, or its instance, in CUDA_VISIBLE_DEVICES by its UUID (nvidia-smi -L)";

GpuOffer all_of(const GpuOrder& order) {
  GpuOffer offer{.kind = GpuOfferKind::known};
  if (order.by_address.empty()) offer.reason = "the driver lists no GPU";
  for (const Gpu& gpu : order.by_address) {
    const auto part = part_of(gpu);
    if (!part) return {GpuOfferKind::ask_child, {}, "", unknown_part(gpu), name_by_uuid};
    offer.gpus.push_back(*part);
  }
  return offer;
}

/// Host indices. Behind a cgroup the others are hidden, and the indices no longer count what is listed.
std::optional<GpuOffer> slurm_gpus(const GpuOrder& order, const Environment& environment) {
  for (const char* name : {"SLURM_STEP_GPUS", "SLURM_JOB_GPUS"}) {
    const std::string text = value_or_nothing(environment, name);
    if (text.empty()) continue;
    if (entries_of(text, ',').size() != order.by_address.size()) {
      return visible_devices({order.by_address, ""}, name, text);
    }
    GpuOffer all = all_of(order);
    all.source = fmt::format("{}={}", name, text);
    return all;
  }
  return std::nullopt;
}

/// Slurm's own choice is not that of CUDA_VISIBLE_DEVICES: one of them belongs to another job, or is renumbered.
GpuOffer checked_by_slurm(GpuOffer visible, const GpuOrder& order, const Environment& environment) {
  const auto slurm = slurm_gpus(order, environment);
  if (!slurm || slurm->kind != GpuOfferKind::known || visible.kind != GpuOfferKind::known) return visible;
  if (!not_offered(visible, *slurm)) return visible;
  return {GpuOfferKind::ask_child,
          {},
          visible.source,
          fmt::format("{} and {} do not name the same GPUs", visible.source, slurm->source),
          "leave CUDA_VISIBLE_DEVICES as Slurm sets it, or name one of the job's GPUs by UUID"};
}

/// If an index says nothing, the order of all GPUs says nothing either.
GpuOffer unrestricted(const GpuOrder& order) {
  if (order.unknown.empty()) return all_of(order);
  return {GpuOfferKind::ask_child, {}, "", order.unknown, name_by_uuid};
}

GpuOffer without_ctest(const GpuOrder& order, const Environment& environment) {
  const auto visible = environment.find("CUDA_VISIBLE_DEVICES");
  if (visible != environment.end()) {
    return checked_by_slurm(visible_devices(order, visible->first, visible->second), order, environment);
  }
  if (auto slurm = slurm_gpus(order, environment)) return *std::move(slurm);
  const std::string ordinal = value_or_nothing(environment, "GPU_DEVICE_ORDINAL");
  return ordinal.empty() ? unrestricted(order) : visible_devices(order, "GPU_DEVICE_ORDINAL", ordinal);
}

}  // namespace

GpuOffer offered_gpus(const std::vector<Gpu>& listed, const Environment& environment) {
  const GpuOrder order = gpu_order(listed, value_or_nothing(environment, "CUDA_DEVICE_ORDER"));
  GpuOffer outer = without_ctest(order, environment);
  auto given = ctest_gpus(order, environment);
  const bool nothing_to_give =
      outer.kind == GpuOfferKind::wrong || (outer.kind == GpuOfferKind::known && outer.gpus.empty());
  if (!given || nothing_to_give) return outer;
  if (given->kind != GpuOfferKind::known || outer.kind != GpuOfferKind::known) return *given;
  const auto hidden = not_offered(*given, outer);
  if (!hidden) return *given;
  return {GpuOfferKind::wrong,
          {},
          given->source,
          fmt::format("CTest gives the GPU {}, and {} does not offer it", hidden->visible, outer.source),
          "list only GPUs that are offered in the resource spec file, or unset the variable"};
}

GpuChoice choose_gpus(const GpuOffer& offer, std::int64_t wanted) {
  GpuChoice choice;
  if (offer.kind != GpuOfferKind::known || wanted <= 0) return choice;
  const auto offered = std::ssize(offer.gpus);
  if (offered >= wanted) {
    choice.gpus.assign(offer.gpus.begin(), offer.gpus.begin() + wanted);
    return choice;
  }
  const std::string& why = offer.reason.empty() ? offer.source : offer.reason;
  choice.too_few =
      fmt::format("needs {} {}, this machine offers {}{}", wanted, wanted == 1 ? "GPU" : "GPUs",
                  offered == 0 ? "none" : std::to_string(offered), why.empty() ? "" : fmt::format(" ({})", why));
  return choice;
}

}  // namespace stepgate
