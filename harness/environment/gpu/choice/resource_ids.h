// GPUs as CTest hands them out: ids of the resource spec file that `ctest --resource-spec-file` reads.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "environment/gpu/choice/visible_devices.h"

namespace stepgate {

/// An id may contain a-z, 0-9 and _ only: the UUID of the GPU in lower case with _ for every other character,
/// "gpu_8932f937_d72c_4106_c12f_20bd9faed9f6".
std::string resource_id(std::string_view uuid);

/// Pure. The GPUs that CTest gives to this test, by CTEST_RESOURCE_GROUP_COUNT and CTEST_RESOURCE_GROUP_<n>_GPUS;
/// absent where it gives none. An id is that of resource_id(), its unique beginning, or an index by PCI address, as
/// nvidia-smi counts. Wrong where it names no GPU or the same one twice.
std::optional<GpuOffer> ctest_gpus(const GpuOrder& order, const std::map<std::string, std::string>& environment);

}  // namespace stepgate
