// Sets of CPU numbers as the kernel writes masks: "ff,00000003", hexadecimal, the lowest CPUs last.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "environment/cpus/cpu_list.h"

namespace stepgate {

/// Absent where `mask` holds anything but hexadecimal digits and commas, or no digit.
std::optional<CpuList> cpu_list_from_mask(std::string_view mask);

/// `cpus` with the width and the commas of `shape`, a mask of the same machine: what the kernel will print after it was
/// written. CPUs beyond that width do not exist there and are left out.
std::string mask_of(const CpuList& cpus, std::string_view shape);

}  // namespace stepgate
