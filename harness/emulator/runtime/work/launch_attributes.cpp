#include "emulator/runtime/work/launch_attributes.h"

#include <string>

#include "emulator/machine/refusal.h"

namespace stepgate::emulator {
namespace {

/// Blocks of a cluster that a kernel may ask for when it has given up portability; 8 else. Hopper's documentation.
constexpr std::uint64_t cluster_limit = 16;

enum class AttributeRule {
  no_effect,    ///< a hint, or an order that the machine keeps anyway: a kernel begins when the one before it is done
  cluster,      ///< of blocks
  cooperative,  ///< all blocks run at the same time
};

struct LaunchAttributeRow {
  cudaLaunchAttributeID id;
  AttributeRule rule;
};

constexpr LaunchAttributeRow attribute_rows[] = {
    {cudaLaunchAttributeIgnore, AttributeRule::no_effect},
    {cudaLaunchAttributeAccessPolicyWindow, AttributeRule::no_effect},
    {cudaLaunchAttributeCooperative, AttributeRule::cooperative},
    {cudaLaunchAttributeClusterDimension, AttributeRule::cluster},
    {cudaLaunchAttributeClusterSchedulingPolicyPreference, AttributeRule::no_effect},
    {cudaLaunchAttributeProgrammaticStreamSerialization, AttributeRule::no_effect},
    {cudaLaunchAttributePriority, AttributeRule::no_effect},
    {cudaLaunchAttributeMemSyncDomainMap, AttributeRule::no_effect},
    {cudaLaunchAttributeMemSyncDomain, AttributeRule::no_effect},
    {cudaLaunchAttributePreferredSharedMemoryCarveout, AttributeRule::no_effect},
};

AttributeRule rule_of(cudaLaunchAttributeID id) {
  for (const LaunchAttributeRow& row : attribute_rows) {
    if (row.id == id) return row.rule;
  }
  refuse("cudaLaunchKernelExC", "launch attribute " + std::to_string(static_cast<int>(id)));
}

cudaError_t check_cluster(const DeviceModel& model, const cudaLaunchAttributeValue& value, const dim3& grid) {
  const auto& cluster = value.clusterDim;
  if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) return cudaErrorInvalidClusterSize;
  if (cluster.x == 1 && cluster.y == 1 && cluster.z == 1) return cudaSuccess;
  if (!model.cluster_launch) return cudaErrorNotSupported;
  const std::uint64_t blocks = static_cast<std::uint64_t>(cluster.x) * cluster.y * cluster.z;
  const bool divides = grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
  return divides && blocks <= cluster_limit ? cudaSuccess : cudaErrorInvalidClusterSize;
}

}  // namespace

cudaError_t apply_attributes(const DeviceModel& model, const cudaLaunchConfig_t& config, KernelLaunch& launch) {
  if (config.attrs == nullptr && config.numAttrs != 0) return cudaErrorInvalidValue;
  for (unsigned at = 0; at < config.numAttrs; ++at) {
    const cudaLaunchAttribute& attribute = config.attrs[at];
    const AttributeRule rule = rule_of(attribute.id);
    if (rule == AttributeRule::cooperative) launch.is_cooperative = attribute.val.cooperative != 0;
    if (rule != AttributeRule::cluster) continue;
    const cudaError_t checked = check_cluster(model, attribute.val, config.gridDim);
    if (checked != cudaSuccess) return checked;
  }
  return cudaSuccess;
}

}  // namespace stepgate::emulator
