// How ranks find each other: rank 0 listens on an abstract unix socket, whose name all ranks know, and hands the shared
// memory to each rank that comes.
#pragma once

#include <string>
#include <vector>

namespace stepgate::emulator {

struct NcclPlace {
  std::string name;  ///< of the communicator, at most 100 characters; no file of that name is made
  int ranks = 1;
  int rank = 0;
  /// How long a rank waits for the others to come.
  int patience_ms = 300'000;
  /// Of each rank, as far as they are known before the ranks come; 0 for others.
  std::vector<int> pids = {};
  /// How long a rank waits in one call for the others to come to theirs. LibTorch's own limit of a collective.
  int call_patience_ms = 600'000;
};

/// A name that no other communicator has. It tells the process that made it.
std::string new_nccl_name();
/// That process; 0 where the name is not of new_nccl_name(). As with NCCL, ranks cannot meet when it has ended before.
int maker_of_nccl_name(const std::string& name);

/// What a rank got.
struct NcclRoom {
  int file = -1;  ///< of the shared memory; -1 where it failed
  /// Of each rank, as the kernel says. Others than rank 0 know only that of rank 0.
  int pids[64] = {};
  std::string error = {};
};

/// Rank 0 waits for all others; another rank for rank 0. Only processes of this user are answered. Where a rank has
/// ended before it came, those that wait learn of it within a few seconds.
NcclRoom enter_room(const NcclPlace& place);

}  // namespace stepgate::emulator
