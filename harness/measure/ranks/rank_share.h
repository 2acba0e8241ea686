// Which CPUs each of several ranks runs on.
#pragma once

#include <cstdint>
#include <vector>

namespace stepgate {

/// The CPUs of one rank: `cpus` in equal runs, the first run for rank 0. What does not divide evenly stays unused,
/// since the slowest rank sets the pace. With fewer CPUs than ranks they are shared in turn: one each, some of them
/// twice. Empty where `cpus` is.
std::vector<int> cpus_of_rank(const std::vector<int>& cpus, std::int64_t rank, std::int64_t ranks);

/// What the calling thread may run on now, ascending; empty where the kernel does not tell.
std::vector<int> inherited_cpus();

}  // namespace stepgate
