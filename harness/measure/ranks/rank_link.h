// The wires between the processes that train one case together (ranks): rank 0 has a socket to each other rank, which
// has one to rank 0. What they say there is one bit each, between passes and windows, never inside one.
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
  /// `sockets`: on rank 0 one to each of the others in their order, on another rank the one to rank 0. Not closed here:
  /// they end with the process, and so tell the others of its end.
  RankLink(std::int64_t rank, std::vector<int> sockets, std::chrono::milliseconds patience = rank_patience);

  /// True on all ranks where every rank said true. Waits until each of them has called it. Throws Error(measure) naming
  /// the rank that ended, or that said nothing within the patience.
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
