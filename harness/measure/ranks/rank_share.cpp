#include "measure/ranks/rank_share.h"

#include <sched.h>

namespace stepgate {

std::vector<int> cpus_of_rank(const std::vector<int>& cpus, std::int64_t rank, std::int64_t ranks) {
  const auto all = static_cast<std::int64_t>(cpus.size());
  if (all == 0) return {};
  const std::int64_t share = all / ranks;
  if (share == 0) return {cpus[static_cast<std::size_t>(rank % all)]};
  const auto first = cpus.begin() + rank * share;
  return {first, first + share};
}

std::vector<int> inherited_cpus() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace stepgate
