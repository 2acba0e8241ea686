#include "emulator/nccl/nccl_communicators.h"

#include <utility>

namespace stepgate::emulator {
namespace {

struct Table {
  std::mutex mutex;
  std::map<std::uint64_t, std::shared_ptr<NcclCommunicator>> communicators;
  std::uint64_t last_handle = 0;
};

/// Never destroyed: LibTorch destroys communicators from destructors of its own.
Table& table() {
  static Table* const made = new Table;
  return *made;
}

constexpr std::uint64_t communicator_step = 256;

std::string text_of(const NcclMet& met) {
  switch (met.end) {
    case NcclEnd::ok:
      return "";
    case NcclEnd::rank_lost:
      return "rank " + std::to_string(met.lost_rank) + " was killed, has aborted or has left";
    case NcclEnd::aborted:
      return "the communicator was aborted";
    case NcclEnd::mismatch:
      return "the ranks called different collectives, or with different numbers of elements";
    case NcclEnd::rank_late:
      return "another rank did not come to this call in time: it hangs, or the limit of "
             "STEPGATE_EMULATED_NCCL_PATIENCE_MS is too short";
  }
  return "";
}

}  // namespace

void NcclCommunicator::note(const NcclMet& met) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ != NcclEnd::ok || met.end == NcclEnd::ok) return;
  state_ = met.end;
  text_ = text_of(met);
}

NcclEnd NcclCommunicator::state() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return state_;
}

std::string NcclCommunicator::text() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return text_;
}

int NcclCommunicator::add_reduction(NcclUserReduction reduction) {
  const std::lock_guard<std::mutex> lock(mutex_);
  reductions_[++last_reduction_] = std::make_shared<const NcclUserReduction>(std::move(reduction));
  return last_reduction_;
}

bool NcclCommunicator::remove_reduction(int number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return reductions_.erase(number) == 1;
}

std::shared_ptr<const NcclUserReduction> NcclCommunicator::reduction_of(int number) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = reductions_.find(number);
  return found == reductions_.end() ? nullptr : found->second;
}

std::uint64_t NcclCommunicator::add_registered(const void* address) {
  const std::lock_guard<std::mutex> lock(mutex_);
  registered_[++last_registered_] = address;
  return last_registered_;
}

bool NcclCommunicator::remove_registered(std::uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return registered_.erase(number) == 1;
}

std::uint64_t add_communicator(std::shared_ptr<NcclCommunicator> communicator) {
  const std::lock_guard<std::mutex> lock(table().mutex);
  table().last_handle += communicator_step;
  table().communicators[table().last_handle] = std::move(communicator);
  return table().last_handle;
}

std::shared_ptr<NcclCommunicator> communicator_of(std::uint64_t handle) {
  const std::lock_guard<std::mutex> lock(table().mutex);
  const auto found = table().communicators.find(handle);
  return found == table().communicators.end() ? nullptr : found->second;
}

bool remove_communicator(std::uint64_t handle) {
  const std::lock_guard<std::mutex> lock(table().mutex);
  return table().communicators.erase(handle) == 1;
}

}  // namespace stepgate::emulator
