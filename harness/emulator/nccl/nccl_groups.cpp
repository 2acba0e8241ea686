#include "emulator/nccl/nccl_groups.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace stepgate::emulator {
namespace {

using Transfers = std::vector<NcclTransfer>;

/// Messages that are waiting for the same communicator and stream.
Transfers* transfers_beside(std::vector<NcclWork>& waiting, const NcclWork& work) {
  for (NcclWork& other : waiting) {
    auto* transfers = std::get_if<Transfers>(&other.work);
    if (transfers != nullptr && other.communicator == work.communicator && other.stream == work.stream) {
      return transfers;
    }
  }
  return nullptr;
}

}  // namespace

void NcclGroup::add(NcclWork work) {
  const auto* added = std::get_if<Transfers>(&work.work);
  Transfers* together = added == nullptr ? nullptr : transfers_beside(waiting_, work);
  if (together == nullptr) {
    waiting_.push_back(std::move(work));
    return;
  }
  together->insert(together->end(), added->begin(), added->end());
}

std::optional<std::vector<NcclWork>> NcclGroup::end() {
  if (depth_ == 0) return std::nullopt;
  if (--depth_ > 0) return std::vector<NcclWork>{};
  return std::exchange(waiting_, {});
}

NcclGroup& nccl_group() {
  thread_local NcclGroup group;
  return group;
}

bool is_of_two_ranks(const std::vector<NcclWork>& all) {
  for (auto work = all.begin(); work != all.end(); ++work) {
    const bool has_other = std::any_of(std::next(work), all.end(), [&work](const NcclWork& other) {
      return other.communicator != work->communicator &&
             other.communicator->meeting().name() == work->communicator->meeting().name();
    });
    if (has_other) return true;
  }
  return false;
}

}  // namespace stepgate::emulator
