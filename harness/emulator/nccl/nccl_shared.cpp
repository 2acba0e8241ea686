#include "emulator/nccl/nccl_shared.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace stepgate::emulator {
namespace {

constexpr std::uint64_t shared_page_bytes = 4096;

constexpr std::uint64_t in_pages(std::uint64_t bytes) {
  return (bytes + shared_page_bytes - 1) / shared_page_bytes * shared_page_bytes;
}

constexpr std::uint64_t pairs(int ranks) {
  return static_cast<std::uint64_t>(ranks) * static_cast<std::uint64_t>(ranks);
}

constexpr std::uint64_t pieces_begin = in_pages(sizeof(NcclSharedHead));

constexpr std::uint64_t letters_begin(int ranks) {
  return pieces_begin + static_cast<std::uint64_t>(ranks) * 2 * nccl_piece_bytes;
}

constexpr std::uint64_t letter_bytes_begin(int ranks) {
  return letters_begin(ranks) + in_pages(pairs(ranks) * sizeof(NcclLetter));
}

}  // namespace

NcclSharedMemory::NcclSharedMemory(int file, int ranks) : ranks_(ranks) {
  void* mapped = ::mmap(nullptr, size_of(ranks), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (mapped != MAP_FAILED) base_ = static_cast<std::byte*>(mapped);
}

NcclSharedMemory::~NcclSharedMemory() {
  if (base_ != nullptr) ::munmap(base_, size_of(ranks_));
}

std::uint64_t NcclSharedMemory::size_of(int ranks) {
  return letter_bytes_begin(ranks) + pairs(ranks) * nccl_letter_bytes;
}

int NcclSharedMemory::make_file(int ranks) {
  const int file = ::memfd_create("stepgate-nccl", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (::ftruncate(file, static_cast<off_t>(size_of(ranks))) == 0) return file;
  ::close(file);
  return -1;
}

std::byte* NcclSharedMemory::piece(int rank, unsigned parity) const {
  return base_ + pieces_begin + (static_cast<std::uint64_t>(rank) * 2 + parity) * nccl_piece_bytes;
}

NcclLetter& NcclSharedMemory::letter(int from, int to) const {
  return reinterpret_cast<NcclLetter*>(base_ + letters_begin(ranks_))[pair(from, to)];
}

std::byte* NcclSharedMemory::letter_bytes(int from, int to) const {
  return base_ + letter_bytes_begin(ranks_) + pair(from, to) * nccl_letter_bytes;
}

void wait_while(const SharedWord& word, std::uint32_t value, int limit_ms) {
  timespec limit{};
  limit.tv_sec = limit_ms / 1000;
  limit.tv_nsec = static_cast<long>(limit_ms % 1000) * 1'000'000;
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &limit, nullptr, 0);
}

void wake_all(const SharedWord& word) { ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

}  // namespace stepgate::emulator
