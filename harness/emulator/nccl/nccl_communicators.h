// The communicators of this process. Their handles are numbers that are used once, so one that was destroyed is found.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "emulator/nccl/nccl_collectives.h"
#include "emulator/nccl/nccl_meeting.h"

namespace stepgate::emulator {

/// An operator that a program has made.
struct NcclUserReduction {
  NcclReduction reduction;
  const void* factor = nullptr;  ///< in memory; nullptr where the reduction holds it
};

class NcclCommunicator {
 public:
  NcclCommunicator(std::unique_ptr<NcclMeeting> meeting, int device) : meeting_(std::move(meeting)), device_(device) {}

  NcclMeeting& meeting() { return *meeting_; }
  int rank() const { return meeting_->rank(); }
  int ranks() const { return meeting_->ranks(); }
  int device() const { return device_; }

  /// Keeps the first end that is not ok.
  void note(const NcclMet& met);
  NcclEnd state() const;
  /// Why; "" where nothing has gone wrong.
  std::string text() const;

  /// Numbers that each rank counts alike, for names of communicators that come from this one.
  unsigned next_child() { return ++children_; }

  int add_reduction(NcclUserReduction reduction);
  bool remove_reduction(int number);
  /// nullptr where there is none.
  std::shared_ptr<const NcclUserReduction> reduction_of(int number) const;

  std::uint64_t add_registered(const void* address);
  bool remove_registered(std::uint64_t number);

 private:
  std::unique_ptr<NcclMeeting> meeting_;
  int device_;
  mutable std::mutex mutex_;
  NcclEnd state_ = NcclEnd::ok;
  std::string text_;
  unsigned children_ = 0;
  std::map<int, std::shared_ptr<const NcclUserReduction>> reductions_;
  int last_reduction_ = 15;  ///< those up to here are the vendor's
  std::map<std::uint64_t, const void*> registered_;
  std::uint64_t last_registered_ = 0;
};

std::uint64_t add_communicator(std::shared_ptr<NcclCommunicator> communicator);
/// nullptr where the handle is of none.
std::shared_ptr<NcclCommunicator> communicator_of(std::uint64_t handle);
bool remove_communicator(std::uint64_t handle);

}  // namespace stepgate::emulator
