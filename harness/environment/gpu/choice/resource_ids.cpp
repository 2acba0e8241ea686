#include "environment/gpu/choice/resource_ids.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace stepgate {
namespace {

/// "id:0,slots:1;id:5,slots:1" -> "0", "5"
std::vector<std::string> ids_of(const std::string& given) {
  std::vector<std::string> ids;
  for (const std::string& part : entries_of(given, ';')) {
    for (const std::string& field : entries_of(part, ',')) {
      if (field.starts_with("id:")) ids.push_back(field.substr(3));
    }
  }
  return ids;
}

std::vector<std::string> ids_given(const std::map<std::string, std::string>& environment) {
  std::vector<std::string> ids;
  const auto count = environment.find("CTEST_RESOURCE_GROUP_COUNT");
  if (count == environment.end()) return ids;
  for (std::int64_t group = 0; group < index_from(count->second); ++group) {
    const auto given = environment.find(fmt::format("CTEST_RESOURCE_GROUP_{}_GPUS", group));
    if (given == environment.end()) continue;
    const std::vector<std::string> more = ids_of(given->second);
    ids.insert(ids.end(), more.begin(), more.end());
  }
  return ids;
}

/// Its name is "" where only CUDA knows which instance a process gets.
ChosenGpu whole(const Gpu& gpu) { return part_of(gpu).value_or(ChosenGpu{gpu, ""}); }

std::vector<ChosenGpu> named_by(const GpuOrder& order, const std::string& id) {
  std::vector<ChosenGpu> fitting;
  if (const std::int64_t index = index_from(id); index >= 0) {
    if (index >= std::ssize(order.by_address)) return {};
    return {whole(order.by_address[static_cast<std::size_t>(index)])};
  }
  for (const Gpu& gpu : order.by_address) {
    if (id.starts_with("gpu_") && resource_id(gpu.uuid).starts_with(id)) fitting.push_back(whole(gpu));
    for (const MigInstance& instance : gpu.instances) {
      if (resource_id(instance.uuid) == id) fitting.push_back({gpu, instance.uuid});
    }
  }
  return fitting;
}

}  // namespace

std::string resource_id(std::string_view uuid) {
  std::string id(uuid);
  std::transform(id.begin(), id.end(), id.begin(), [](unsigned char c) -> char {
    return std::isalnum(c) != 0 ? static_cast<char>(std::tolower(c)) : '_';
  });
  return id;
}

std::optional<GpuOffer> ctest_gpus(const GpuOrder& order, const std::map<std::string, std::string>& environment) {
  const std::vector<std::string> ids = ids_given(environment);
  if (ids.empty()) return std::nullopt;
  GpuOffer offer{.kind = GpuOfferKind::known, .source = fmt::format("CTest's GPUs {}", fmt::join(ids, ","))};
  const auto wrong = [&](std::string reason, const char* remedy) {
    return GpuOffer{GpuOfferKind::wrong, {}, offer.source, std::move(reason), remedy};
  };
  std::set<std::string> named;
  for (const std::string& id : ids) {
    const std::vector<ChosenGpu> fitting = named_by(order, id);
    if (fitting.empty() || fitting.size() > 1) {
      return wrong(fmt::format("the resource id '{}' of CTest names {} of the {} GPUs of this machine", id,
                               fitting.empty() ? "none" : "more than one", order.by_address.size()),
                   "write the resource spec file of this machine: docs/which_gpu.md, \"CTest\"");
    }
    if (fitting.front().visible.empty()) {
      // Left to the child, it could get the GPU of another test.
      return wrong(fmt::format("the resource id '{}' of CTest: {}", id, unknown_part(fitting.front().gpu)),
                   "name the instance in the resource spec file (nvidia-smi -L): \"mig_...\"");
    }
    if (!named.insert(fitting.front().visible).second) {
      return wrong(fmt::format("CTest gives the GPU {} twice to one test", fitting.front().visible),
                   "give each GPU one slot in the resource spec file: \"slots\": 1");
    }
    offer.gpus.push_back(fitting.front());
  }
  return offer;
}

}  // namespace stepgate
