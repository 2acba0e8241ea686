#include "emulator/nccl/nccl_collectives.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace stepgate::emulator {
namespace {

using Pieces = std::vector<const std::byte*>;

/// A piece of the collective that this rank receives from.
struct Piece {
  std::uint64_t offset;
  std::uint64_t bytes;
  const Pieces& of_rank;
};

/// What a rank does with it.
struct Receiver {
  const NcclCollective& call;
  const NcclReduction& reduction;
  int rank;
  std::uint64_t block_bytes;  ///< of one rank

  std::byte* to() const { return static_cast<std::byte*>(call.to); }
  std::uint64_t elements_in(std::uint64_t bytes) const { return bytes / row_of(reduction.element).bytes; }
};

void reduce_all(const Receiver& receiver, const Piece& piece) {
  reduce_elements(receiver.reduction, piece.of_rank, receiver.to() + piece.offset, receiver.elements_in(piece.bytes));
}

void reduce_at_root(const Receiver& receiver, const Piece& piece) {
  if (receiver.rank == receiver.call.root) reduce_all(receiver, piece);
}

void copy_of_root(const Receiver& receiver, const Piece& piece) {
  const std::byte* from = piece.of_rank[static_cast<std::size_t>(receiver.call.root)];
  std::memcpy(receiver.to() + piece.offset, from, piece.bytes);
}

void copy_all(const Receiver& receiver, const Piece& piece) {
  for (std::size_t rank = 0; rank < piece.of_rank.size(); ++rank) {
    std::memcpy(receiver.to() + rank * receiver.block_bytes + piece.offset, piece.of_rank[rank], piece.bytes);
  }
}

/// The part of a piece that lies in this rank's block.
struct Overlap {
  std::uint64_t in_piece = 0;
  std::uint64_t in_block = 0;
  std::uint64_t bytes = 0;
};

Overlap own_part(const Receiver& receiver, const Piece& piece) {
  const std::uint64_t block_begin = static_cast<std::uint64_t>(receiver.rank) * receiver.block_bytes;
  const std::uint64_t begin = std::max(block_begin, piece.offset);
  const std::uint64_t end = std::min(block_begin + receiver.block_bytes, piece.offset + piece.bytes);
  if (begin >= end) return {};
  return {begin - piece.offset, begin - block_begin, end - begin};
}

void reduce_own_block(const Receiver& receiver, const Piece& piece) {
  const Overlap part = own_part(receiver, piece);
  if (part.bytes == 0) return;
  Pieces shifted = piece.of_rank;
  for (const std::byte*& from : shifted) from += part.in_piece;
  reduce_elements(receiver.reduction, shifted, receiver.to() + part.in_block, receiver.elements_in(part.bytes));
}

void copy_own_blocks(const Receiver& receiver, const Piece& piece) {
  const Overlap part = own_part(receiver, piece);
  for (std::size_t rank = 0; part.bytes > 0 && rank < piece.of_rank.size(); ++rank) {
    std::memcpy(receiver.to() + rank * receiver.block_bytes + part.in_block, piece.of_rank[rank] + part.in_piece,
                part.bytes);
  }
}

struct CollectiveRow {
  NcclKind kind;
  std::string_view name;
  bool reduces;
  bool sends_blocks;     ///< a rank sends one block to each rank
  bool receives_blocks;  ///< a rank receives one from each
  void (*take)(const Receiver&, const Piece&);
};

constexpr CollectiveRow collective_rows[] = {
    {NcclKind::all_reduce, "AllReduce", true, false, false, reduce_all},
    {NcclKind::broadcast, "Broadcast", false, false, false, copy_of_root},
    {NcclKind::reduce, "Reduce", true, false, false, reduce_at_root},
    {NcclKind::all_gather, "AllGather", false, false, true, copy_all},
    {NcclKind::reduce_scatter, "ReduceScatter", true, true, false, reduce_own_block},
    {NcclKind::all_to_all, "SendRecv", false, true, true, copy_own_blocks},
};

const CollectiveRow& row_of(NcclKind kind) { return collective_rows[static_cast<std::size_t>(kind)]; }

/// FNV-1a of what must be equal on all ranks.
std::uint64_t signature_of(const NcclCollective& call) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(call.kind), static_cast<std::uint64_t>(call.reduction.kind),
        static_cast<std::uint64_t>(call.reduction.element), static_cast<std::uint64_t>(call.root), call.count}) {
    for (unsigned shift = 0; shift < 64; shift += 8) hash = (hash ^ ((part >> shift) & 0xffU)) * 0x100000001b3ULL;
  }
  return hash;
}

bool has_factor(const NcclCollective& call) {
  return row_of(call.kind).reduces && call.reduction.kind == NcclReductionKind::premultiplied_sum;
}

/// Each rank multiplies its own elements, and the rest is a sum.
std::vector<std::byte> scaled_by_factor(const NcclCollective& call, std::uint64_t bytes) {
  NcclReduction own = call.reduction;
  if (call.factor != nullptr) own.factors = {value_of(own.element, call.factor)};
  std::vector<std::byte> result(bytes);
  reduce_elements(own, {static_cast<const std::byte*>(call.from)}, result.data(), bytes / row_of(own.element).bytes);
  return result;
}

}  // namespace

std::optional<NcclBufferBytes> buffer_bytes(const NcclCollective& call, int ranks) {
  const CollectiveRow& row = row_of(call.kind);
  const std::uint64_t element_bytes = row_of(call.reduction.element).bytes;
  const auto all = static_cast<std::uint64_t>(ranks);
  if (call.count > std::numeric_limits<std::uint64_t>::max() / element_bytes / all) return std::nullopt;
  const std::uint64_t block_bytes = call.count * element_bytes;
  return NcclBufferBytes{row.sends_blocks ? block_bytes * all : block_bytes,
                         row.receives_blocks ? block_bytes * all : block_bytes};
}

std::uint64_t bytes_of(const NcclCollective& call, int ranks) {
  const CollectiveRow& row = row_of(call.kind);
  const std::uint64_t block_bytes = call.count * row_of(call.reduction.element).bytes;
  return row.sends_blocks || row.receives_blocks ? block_bytes * static_cast<std::uint64_t>(ranks) : block_bytes;
}

MemoryAccesses accesses_of(const NcclCollective& call, int rank, int ranks) {
  const CollectiveRow& row = row_of(call.kind);
  const std::uint64_t block_bytes = call.count * row_of(call.reduction.element).bytes;
  const std::uint64_t all_bytes = block_bytes * static_cast<std::uint64_t>(ranks);
  const bool reads = call.kind != NcclKind::broadcast || rank == call.root;
  const bool writes = call.kind != NcclKind::reduce || rank == call.root;
  MemoryAccesses accesses;
  if (reads) accesses.push_back({call.from, row.sends_blocks ? all_bytes : block_bytes, false});
  if (writes) accesses.push_back({call.to, row.receives_blocks ? all_bytes : block_bytes, true});
  return accesses;
}

MemoryAccesses accesses_of(const std::vector<NcclTransfer>& transfers) {
  MemoryAccesses accesses;
  for (const NcclTransfer& transfer : transfers) {
    accesses.push_back({transfer.address, transfer.bytes, !transfer.is_send});
  }
  return accesses;
}

std::string kernel_name(const NcclCollective& call) {
  const CollectiveRow& row = row_of(call.kind);
  std::string name = "ncclDevKernel_" + std::string(row.name);
  if (call.kind == NcclKind::all_to_all) return name;
  if (row.reduces) {
    name += "_" + std::string(name_of(call.reduction.kind)) + "_" + std::string(row_of(call.reduction.element).name);
  }
  return name + "_RING_LL";
}

NcclMet run_collective(NcclMeeting& meeting, const NcclCollective& call, std::int64_t begin_ns, bool moves) {
  const CollectiveRow& row = row_of(call.kind);
  const std::uint64_t block_bytes = call.count * row_of(call.reduction.element).bytes;
  NcclExchange exchange{.signature = signature_of(call), .begin_ns = begin_ns};
  if (!moves) return meeting.exchange(exchange);
  exchange.bytes = row.sends_blocks ? block_bytes * static_cast<std::uint64_t>(meeting.ranks()) : block_bytes;
  const bool sends = call.kind != NcclKind::broadcast || meeting.rank() == call.root;
  exchange.from = sends ? call.from : nullptr;
  NcclReduction reduction = call.reduction;
  std::vector<std::byte> scaled;
  if (has_factor(call)) {
    scaled = scaled_by_factor(call, exchange.bytes);
    exchange.from = scaled.data();
    reduction.kind = NcclReductionKind::sum;
  }
  const Receiver receiver{call, reduction, meeting.rank(), block_bytes};
  exchange.take = [&receiver, &row](std::uint64_t offset, std::uint64_t bytes, const Pieces& of_rank) {
    row.take(receiver, {offset, bytes, of_rank});
  };
  return meeting.exchange(exchange);
}

}  // namespace stepgate::emulator
