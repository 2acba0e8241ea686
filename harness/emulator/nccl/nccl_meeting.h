// One communicator: how its ranks meet and hand each other bytes. They sleep on words of their shared memory, never
// spin, and end where one that they wait for has gone.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "emulator/nccl/nccl_rendezvous.h"
#include "emulator/nccl/nccl_shared.h"

namespace stepgate::emulator {

enum class NcclEnd {
  ok,
  rank_lost,  ///< another rank was killed, aborted, or has left
  aborted,    ///< this rank was
  mismatch,   ///< the ranks called different things
  rank_late,  ///< another rank did not come within the patience of a call
};

/// What a rank brings to a collective of all ranks.
struct NcclExchange {
  std::uint64_t signature = 0;  ///< of the call; equal on all ranks
  std::int64_t begin_ns = 0;
  std::uint64_t bytes = 0;     ///< that pass; equal on all ranks, 0 where only times are agreed
  const void* from = nullptr;  ///< `bytes` of this rank; nullptr where only others have some
  /// Called for each piece: [offset, offset + bytes) of every rank's bytes.
  std::function<void(std::uint64_t offset, std::uint64_t bytes, const std::vector<const std::byte*>& of_rank)> take =
      {};
};

/// A message to or from one rank.
struct NcclTransfer {
  bool is_send = false;
  int peer = 0;
  std::byte* address = nullptr;
  std::uint64_t bytes = 0;
  bool moved = true;  ///< false: only the times are agreed
};

struct NcclMet {
  NcclEnd end = NcclEnd::ok;
  std::int64_t begin_ns = 0;  ///< when the last rank could begin
  int lost_rank = -1;
};

class NcclMeeting {
 public:
  /// Waits for all ranks. nullptr, with `error`, where they did not come.
  static std::unique_ptr<NcclMeeting> join(const NcclPlace& place, std::string& error);
  ~NcclMeeting();
  NcclMeeting(const NcclMeeting&) = delete;
  NcclMeeting& operator=(const NcclMeeting&) = delete;

  const std::string& name() const { return place_.name; }
  int ranks() const { return place_.ranks; }
  int rank() const { return place_.rank; }
  /// The process of a rank.
  int pid_of(int rank) const { return static_cast<int>(memory_.head().of_rank[rank].pid.load()); }

  /// All ranks call it, in one order. A rank that waits for longer than NcclPlace::call_patience_ms ends with
  /// rank_late, and has left.
  NcclMet exchange(const NcclExchange& exchange);
  /// Each message is met by one of its peer; messages between two ranks pass in the order of the calls. They all go on
  /// side by side, so the order of `transfers` between different peers does not matter.
  NcclMet transfer(const std::vector<NcclTransfer>& transfers, std::int64_t begin_ns);
  /// This rank comes to no further call, and its waits end. Others that wait for it end with rank_lost. Any thread.
  void leave();

 private:
  struct Progress {
    NcclTransfer transfer;
    std::uint64_t done_bytes = 0;
    bool is_posted = false;  ///< of a send: its letter lies there
    bool is_wrong = false;   ///< the peer's message has another length
    bool is_done = false;
  };

  NcclMeeting(NcclPlace place, const NcclRoom& room);
  using Clock = std::chrono::steady_clock;
  Clock::time_point end_of_patience() const;
  NcclEnd arrive();
  /// Sleeps once while `word` is `value`.
  void sleep(const SharedWord& word, std::uint32_t value);
  /// A rank that will not come: the first, or `only` that one; -1 where all may come.
  int lost_rank(int only = -1);
  bool is_killed(int rank);
  /// From the start, so that the open descriptors of a training step do not depend on how long a rank slept.
  void open_processes();
  NcclMet broken(NcclEnd end);
  bool step(Progress& progress, std::int64_t& begin_ns, std::int64_t own_begin_ns);
  bool step_send(Progress& progress, std::int64_t& begin_ns, std::int64_t own_begin_ns);
  bool step_receive(Progress& progress, std::int64_t& begin_ns, std::int64_t own_begin_ns);
  void ring(int rank);

  NcclPlace place_;
  NcclSharedMemory memory_;
  std::mutex mutex_;  ///< one call at a time
  std::vector<int> processes_;
  unsigned parity_ = 0;
  int lost_ = -1;
  bool is_asleep_long_ = false;
};

}  // namespace stepgate::emulator
