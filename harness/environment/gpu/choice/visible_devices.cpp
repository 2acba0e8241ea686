#include "environment/gpu/choice/visible_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "environment/gpu/pci_bus_id.h"

namespace stepgate {
namespace {

constexpr const char* see_the_list = "nvidia-smi -L lists the GPUs and their UUIDs";

/// What one entry of the list means.
struct Entry {
  std::optional<ChosenGpu> gpu = {};  ///< absent: it names none
  std::string unknown = {};           ///< why only CUDA can say what it names
  std::string problem = {};           ///< it cannot be meant
  bool is_instance = false;
};

Entry entry_for(const Gpu& gpu) {
  const auto part = part_of(gpu);
  if (!part) return {.unknown = unknown_part(gpu)};
  return {.gpu = part, .is_instance = gpu.mig == Mig::on};
}

Entry by_index(const GpuOrder& order, std::int64_t index) {
  if (!order.unknown.empty()) return {.unknown = order.unknown};
  if (index >= std::ssize(order.by_address)) return {};
  return entry_for(order.by_address[static_cast<std::size_t>(index)]);
}

Entry by_uuid(const GpuOrder& order, const std::string& text) {
  const Gpu* found = nullptr;
  for (const Gpu& gpu : order.by_address) {
    if (!gpu.uuid.starts_with(text)) continue;
    if (found != nullptr) {
      return {.problem = fmt::format("'{}' fits two GPUs, {} and {}", text, found->uuid, gpu.uuid)};
    }
    found = &gpu;
  }
  return found == nullptr ? Entry{} : entry_for(*found);
}

Entry by_instance(const GpuOrder& order, const std::string& text) {
  bool hides_instances = false;
  for (const Gpu& gpu : order.by_address) {
    hides_instances = hides_instances || (gpu.mig != Mig::off && gpu.instances.empty());
    for (const MigInstance& instance : gpu.instances) {
      const std::string older = fmt::format("MIG-{}/{}/{}", gpu.uuid, instance.gpu_instance, instance.compute_instance);
      if (text == instance.uuid || text == older) return {.gpu = ChosenGpu{gpu, text}, .is_instance = true};
    }
  }
  return {.unknown = hides_instances ? "the driver does not list the instances of its GPUs" : ""};
}

Entry entry_of(const GpuOrder& order, const std::string& text) {
  if (const std::int64_t index = index_from(text); index >= 0) return by_index(order, index);
  if (text.starts_with("GPU-")) return by_uuid(order, text);
  if (text.starts_with("MIG-")) return by_instance(order, text);
  return {};
}

bool offers_none(std::string_view first) { return first.empty() || first.front() == '-' || first == "NoDevFiles"; }

std::string named_none(std::string_view source, const std::string& entry, std::size_t count) {
  if (count == 0) return fmt::format("{}: '{}' names no GPU, since the driver lists none", source, entry);
  return fmt::format("{}: '{}' names no GPU of this machine, which has {}", source, entry,
                     count == 1 ? "one, of index 0" : fmt::format("{}, of the indices 0 to {}", count, count - 1));
}

}  // namespace

std::vector<std::string> entries_of(std::string_view list, char separator) {
  std::vector<std::string> entries;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(separator, begin), list.size());
    std::string_view entry = list.substr(begin, end - begin);
    while (!entry.empty() && entry.front() == ' ') entry.remove_prefix(1);
    while (!entry.empty() && entry.back() == ' ') entry.remove_suffix(1);
    entries.emplace_back(entry);
    begin = end + 1;
  }
  return entries;
}

std::int64_t index_from(std::string_view text) {
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && text.front() != '-';
  return is_number ? index : -1;
}

GpuOrder gpu_order(const std::vector<Gpu>& listed, std::string_view cuda_device_order) {
  GpuOrder order{listed};
  std::sort(order.by_address.begin(), order.by_address.end(), [](const Gpu& a, const Gpu& b) {
    return kernel_pci_bus_id(a.pci_bus_id) < kernel_pci_bus_id(b.pci_bus_id);
  });
  if (listed.size() == 1 && part_of(listed.front())) return order;
  const bool split = std::any_of(listed.begin(), listed.end(), [](const Gpu& gpu) { return gpu.mig == Mig::on; });
  const bool alike = std::all_of(listed.begin(), listed.end(),
                                 [&](const Gpu& gpu) { return !gpu.name.empty() && gpu.name == listed.front().name; });
  if (split) {
    order.unknown = "MIG splits a GPU of this machine, and an index does not say which part is meant";
  } else if (!alike && cuda_device_order != "PCI_BUS_ID") {
    order.unknown = "the GPUs of this machine differ, and CUDA counts them by speed";
  }
  return order;
}

std::optional<ChosenGpu> part_of(const Gpu& gpu) {
  if (gpu.mig != Mig::on) return ChosenGpu{gpu, gpu.uuid};
  return gpu.instances.size() == 1 ? std::optional(ChosenGpu{gpu, gpu.instances.front().uuid}) : std::nullopt;
}

std::string unknown_part(const Gpu& gpu) {
  return fmt::format("MIG splits the GPU {}, and its UUID does not say which part is meant", gpu.uuid);
}

GpuOffer visible_devices(const GpuOrder& order, std::string_view name, std::string_view text) {
  GpuOffer offer{.kind = GpuOfferKind::known, .source = fmt::format("{}={}", name, text)};
  const auto wrong = [&](std::string reason, const char* remedy) {
    return GpuOffer{GpuOfferKind::wrong, {}, offer.source, std::move(reason), remedy};
  };
  const std::vector<std::string> entries = entries_of(text, ',');
  if (offers_none(entries.front())) {
    offer.reason = fmt::format("{} offers no GPU", offer.source);
    return offer;
  }
  std::set<std::string> named;
  for (const std::string& one : entries) {
    const Entry entry = entry_of(order, one);
    if (!entry.problem.empty()) {
      return wrong(fmt::format("{}: {}", offer.source, entry.problem), "write more of the UUID: nvidia-smi -L");
    }
    if (!entry.unknown.empty()) {
      return {GpuOfferKind::ask_child,
              {},
              offer.source,
              fmt::format("{}: {}", offer.source, entry.unknown),
              "name the GPU or the instance by its UUID (nvidia-smi -L), or set CUDA_DEVICE_ORDER=PCI_BUS_ID"};
    }
    if (!entry.gpu) {
      std::string none = named_none(offer.source, one, order.by_address.size());
      if (named.empty()) return wrong(std::move(none), see_the_list);
      if (!offers_none(one)) offer.reason = none + "; CUDA ends the list there";
      return offer;
    }
    if (!named.insert(entry.gpu->visible).second) {
      return wrong(
          fmt::format("{}: it names {} twice, and CUDA then offers no GPU at all", offer.source, entry.gpu->visible),
          "name each GPU once");
    }
    offer.gpus.push_back(*entry.gpu);
    if (entry.is_instance) {
      if (entries.size() > 1) offer.reason = fmt::format("{}: a process sees one instance of MIG only", offer.source);
      return offer;
    }
  }
  return offer;
}

}  // namespace stepgate
