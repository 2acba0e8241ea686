// Which CPUs each of several ranks runs on.
#pragma once

#include <cstdint>
#include <vector>

namespace stepgate {

/// The CPUs of one rank: `cpus` in equal parts, the first part for rank 0. A remainder stays unused, since the slowest
/// rank sets the pace. With fewer CPUs than ranks each rank gets one, and some CPUs serve two ranks. Empty where `cpus`
/// is.
std::vector<int> cpus_of_rank(const std::vector<int>& cpus, std::int64_t rank, std::int64_t ranks);

/// The CPUs that the calling thread may run on, ascending; empty where they cannot be read.
std::vector<int> inherited_cpus();

}  // namespace stepgate
