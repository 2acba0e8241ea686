// Calls between ncclGroupStart and the ncclGroupEnd that belongs to it wait for the latter, thread by thread.
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "emulator/nccl/nccl_communicators.h"
#include "emulator/work/operation.h"

namespace stepgate::emulator {

/// One piece of work of a rank on one stream: a collective, or messages that go on side by side.
struct NcclWork {
  std::shared_ptr<NcclCommunicator> communicator;
  StreamHandle stream = default_stream;
  std::variant<NcclCollective, std::vector<NcclTransfer>> work;
};

class NcclGroup {
 public:
  bool is_open() const { return depth_ > 0; }
  void start() { ++depth_; }
  void add(NcclWork work);
  /// What the outermost end has to do, nothing for an inner one; absent where no group is open. Messages of one
  /// communicator and stream become one piece of work, which stands where the first of them did.
  std::optional<std::vector<NcclWork>> end();

 private:
  int depth_ = 0;
  std::vector<NcclWork> waiting_;
};

/// Of the calling thread.
NcclGroup& nccl_group();

/// Whether one thread is to do the work of two ranks of one communicator. They would wait for each other.
bool is_of_two_ranks(const std::vector<NcclWork>& all);

}  // namespace stepgate::emulator
