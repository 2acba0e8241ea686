// The sockets between the processes that train one case together (ranks): rank 0 has a socket to each other rank. The
// ranks exchange one bit each, between passes and windows, never inside one.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace stepgate {

/// How long a rank waits for the others. Building a workload and its first, cold step lie between two agreements:
/// LibTorch on a starved machine took 30 s for both (tests/measure), and a launcher's replicate has 300 s in all.
inline constexpr std::chrono::seconds rank_patience{120};

class RankLink {
 public:
  /// `sockets`: on rank 0 one to each of the others in their order, on another rank the one to rank 0. They are
  /// not closed here: they close when the process ends, which tells the others.
  RankLink(std::int64_t rank, std::vector<int> sockets, std::chrono::milliseconds patience = rank_patience);

  /// Waits until every rank has called it, and returns true on all ranks where every rank passed true. Throws
  /// Error(measure) naming a rank that ended, or that did not call it within the patience.
  bool agree(bool mine);

 private:
  std::int64_t peer_at(std::size_t wire) const;
  bool hear(std::size_t wire) const;
  void tell(std::size_t wire, bool value) const;

  std::int64_t rank_;
  std::vector<int> sockets_;
  std::chrono::milliseconds patience_;
};

}  // namespace stepgate
