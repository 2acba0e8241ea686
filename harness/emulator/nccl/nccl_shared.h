// The memory that the ranks of one communicator share: a file without a name, which rank 0 makes and hands to the
// others through a socket. It goes away with the last process that holds it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace stepgate::emulator {

/// A piece of a collective that each rank has twice, so that one can be written while others read the other one. Own
/// choice: few pieces for a bucket of gradients, and little memory.
inline constexpr std::uint64_t nccl_piece_bytes = 4ULL << 20U;
/// A piece of what one rank sends to another.
inline constexpr std::uint64_t nccl_letter_bytes = 1ULL << 20U;
inline constexpr int nccl_ranks_limit = 64;

using SharedWord = std::atomic<std::uint32_t>;
static_assert(SharedWord::is_always_lock_free && sizeof(SharedWord) == 4, "processes and futexes share it");

/// What a rank says of a collective before it moves bytes.
struct NcclRow {
  std::uint64_t signature = 0;  ///< equal on all ranks where they called the same
  std::int64_t begin_ns = 0;
};

struct NcclSharedRank {
  SharedWord pid;
  SharedWord has_left;
  SharedWord bell;  ///< counts what happened to a letter to or from this rank
  NcclRow rows[2];
};

struct NcclLetter {
  SharedWord is_full;
  std::uint32_t bytes;
  std::uint64_t total_bytes;  ///< of the whole message
  std::int64_t sender_begin_ns;
  std::int64_t receiver_begin_ns;
};

struct NcclSharedHead {
  SharedWord arrived;
  SharedWord generation;
  NcclSharedRank of_rank[nccl_ranks_limit];
};

/// One mapping of that memory. The file is sparse: what nobody writes takes no room.
class NcclSharedMemory {
 public:
  /// Maps `file`, and closes it.
  NcclSharedMemory(int file, int ranks);
  ~NcclSharedMemory();
  NcclSharedMemory(const NcclSharedMemory&) = delete;
  NcclSharedMemory& operator=(const NcclSharedMemory&) = delete;

  /// A new file for so many ranks, all zero; -1 where the host has none.
  static int make_file(int ranks);

  bool is_mapped() const { return base_ != nullptr; }
  NcclSharedHead& head() const { return *reinterpret_cast<NcclSharedHead*>(base_); }
  std::byte* piece(int rank, unsigned parity) const;
  NcclLetter& letter(int from, int to) const;
  std::byte* letter_bytes(int from, int to) const;

 private:
  static std::uint64_t size_of(int ranks);
  std::uint64_t pair(int from, int to) const { return static_cast<std::uint64_t>(from * ranks_ + to); }

  int ranks_ = 0;
  std::byte* base_ = nullptr;
};

/// Sleeps until the word is another one, at most `limit_ms`. It works across processes.
void wait_while(const SharedWord& word, std::uint32_t value, int limit_ms);
void wake_all(const SharedWord& word);

}  // namespace stepgate::emulator
