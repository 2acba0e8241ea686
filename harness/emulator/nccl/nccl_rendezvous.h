// How ranks find each other: rank 0 listens on an abstract unix socket, whose name all ranks know, and hands the shared
// memory to each rank that comes.
#pragma once

#include <string>

namespace stepgate::emulator {

struct NcclPlace {
  std::string name;  ///< of the communicator, at most 100 characters; no file of that name is made
  int ranks = 1;
  int rank = 0;
  /// How long a rank waits for the others to come.
  int patience_ms = 300'000;
};

/// A name that no other communicator has.
std::string new_nccl_name();

/// What a rank got.
struct NcclRoom {
  int file = -1;  ///< of the shared memory; -1 where it failed
  /// Of each rank, as the kernel says. Others than rank 0 know only that of rank 0.
  int pids[64] = {};
  std::string error = {};
};

/// Rank 0 waits for all others; another rank for rank 0. Only processes of this user are answered.
NcclRoom enter_room(const NcclPlace& place);

}  // namespace stepgate::emulator
