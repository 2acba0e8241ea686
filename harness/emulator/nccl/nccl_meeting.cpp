#include "emulator/nccl/nccl_meeting.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace stepgate::emulator {
namespace {

/// How often a sleeping rank looks whether the others live. Own choice: short beside a limit of a test, and nothing
/// beside a second of work.
constexpr int look_every_ms = 50;

constexpr int not_opened = -1;
constexpr int gone = -2;

/// Rank 0 knows all processes; another rank knows that of rank 0 from its socket, which may die before it wrote them.
void write_processes(NcclSharedHead& head, const NcclPlace& place, const NcclRoom& room) {
  if (place.rank != 0) {
    head.of_rank[0].pid = static_cast<std::uint32_t>(room.pids[0]);
    head.of_rank[place.rank].pid = static_cast<std::uint32_t>(::getpid());
    return;
  }
  for (int rank = 0; rank < place.ranks; ++rank) head.of_rank[rank].pid = static_cast<std::uint32_t>(room.pids[rank]);
}

}  // namespace

std::unique_ptr<NcclMeeting> NcclMeeting::join(const NcclPlace& place, std::string& error) {
  if (place.ranks < 1 || place.ranks > nccl_ranks_limit || place.rank < 0 || place.rank >= place.ranks) {
    error = "no such rank";
    return nullptr;
  }
  const NcclRoom room = enter_room(place);
  if (room.file < 0) {
    error = room.error;
    return nullptr;
  }
  std::unique_ptr<NcclMeeting> meeting(new NcclMeeting(place, room));
  if (!meeting->memory_.is_mapped()) {
    error = "the host has no address space for the communicator";
    return nullptr;
  }
  write_processes(meeting->memory_.head(), place, room);
  // Ranks may come to the communicator as late as they may come to the socket.
  meeting->place_.call_patience_ms = place.patience_ms;
  const NcclEnd end = meeting->exchange({}).end;
  meeting->place_.call_patience_ms = place.call_patience_ms;
  if (end == NcclEnd::ok) {
    meeting->open_processes();
    return meeting;
  }
  error = "a rank has gone";
  return nullptr;
}

NcclMeeting::NcclMeeting(NcclPlace place, const NcclRoom& room)
    : place_(std::move(place)),
      memory_(room.file, place_.ranks),
      processes_(static_cast<std::size_t>(place_.ranks), not_opened) {}

NcclMeeting::~NcclMeeting() {
  if (memory_.is_mapped()) leave();
  for (const int process : processes_) {
    if (process >= 0) ::close(process);
  }
}

void NcclMeeting::leave() {
  NcclSharedHead& head = memory_.head();
  head.of_rank[rank()].has_left = 1;
  wake_all(head.generation);
  for (int other = 0; other < ranks(); ++other) ring(other);
}

void NcclMeeting::ring(int other) {
  SharedWord& bell = memory_.head().of_rank[other].bell;
  bell.fetch_add(1);
  wake_all(bell);
}

void NcclMeeting::sleep(const SharedWord& word, std::uint32_t value) {
  wait_while(word, value, look_every_ms);
  // A killed rank wakes nobody: only a sleep that nobody ended is a reason to look at processes.
  is_asleep_long_ = word == value;
}

bool NcclMeeting::is_killed(int other) {
  const auto pid = static_cast<int>(memory_.head().of_rank[other].pid.load());
  int& process = processes_[static_cast<std::size_t>(other)];
  if (pid == 0 || pid == ::getpid() || process == gone) return process == gone;
  if (process == not_opened) {
    process = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (process < 0) process = errno == ESRCH ? gone : not_opened;
    if (process < 0) return process == gone;
  }
  pollfd asked{process, POLLIN, 0};
  return ::poll(&asked, 1, 0) == 1;
}

void NcclMeeting::open_processes() {
  for (int other = 0; other < ranks(); ++other) static_cast<void>(is_killed(other));
}

int NcclMeeting::lost_rank(int only) {
  for (int other = 0; other < ranks(); ++other) {
    if (only >= 0 && other != only) continue;
    if (memory_.head().of_rank[other].has_left != 0 || (is_asleep_long_ && is_killed(other))) return other;
  }
  return -1;
}

NcclMet NcclMeeting::broken(NcclEnd end) {
  leave();
  return {end, 0, end == NcclEnd::rank_lost ? lost_ : -1};
}

NcclMeeting::Clock::time_point NcclMeeting::end_of_patience() const {
  return Clock::now() + std::chrono::milliseconds(place_.call_patience_ms);
}

NcclEnd NcclMeeting::arrive() {
  NcclSharedHead& head = memory_.head();
  const std::uint32_t generation = head.generation;
  if (head.of_rank[rank()].has_left != 0) return NcclEnd::aborted;
  is_asleep_long_ = false;
  // It left without this rank: it may have arrived here before, but it does not take what the others bring.
  lost_ = lost_rank();
  if (lost_ >= 0) return NcclEnd::rank_lost;
  if (head.arrived.fetch_add(1) + 1 == static_cast<std::uint32_t>(ranks())) {
    head.arrived = 0;
    head.generation.fetch_add(1);
    wake_all(head.generation);
    return NcclEnd::ok;
  }
  const Clock::time_point late = end_of_patience();
  while (true) {
    // A rank that leaves after this meeting has made it complete before: so the generation is read last.
    const int lost = lost_rank();
    if (head.generation != generation) return NcclEnd::ok;
    if (lost >= 0) {
      lost_ = lost;
      return lost == rank() ? NcclEnd::aborted : NcclEnd::rank_lost;
    }
    if (Clock::now() >= late) return NcclEnd::rank_late;
    sleep(head.generation, generation);
  }
}

NcclMet NcclMeeting::exchange(const NcclExchange& exchange) {
  const std::lock_guard<std::mutex> lock(mutex_);
  NcclSharedHead& head = memory_.head();
  const auto count = static_cast<std::size_t>(ranks());
  std::vector<const std::byte*> pieces(count);
  NcclMet met{.begin_ns = exchange.begin_ns};
  std::uint64_t offset = 0;
  do {
    const std::uint64_t bytes = std::min(nccl_piece_bytes, exchange.bytes - offset);
    head.of_rank[rank()].rows[parity_] = {exchange.signature, exchange.begin_ns};
    if (exchange.from != nullptr && bytes > 0) {
      std::memcpy(memory_.piece(rank(), parity_), static_cast<const std::byte*>(exchange.from) + offset, bytes);
    }
    if (const NcclEnd end = arrive(); end != NcclEnd::ok) return broken(end);
    for (int other = 0; other < ranks(); ++other) {
      const NcclRow& row = head.of_rank[other].rows[parity_];
      if (row.signature != exchange.signature) return broken(NcclEnd::mismatch);
      met.begin_ns = std::max(met.begin_ns, row.begin_ns);
      pieces[static_cast<std::size_t>(other)] = memory_.piece(other, parity_);
    }
    if (bytes > 0 && exchange.take) exchange.take(offset, bytes, pieces);
    // The next piece goes to the other half: a rank comes to this half again only when all have met once more.
    parity_ ^= 1U;
    offset += bytes;
  } while (offset < exchange.bytes);
  return met;
}

NcclMet NcclMeeting::transfer(const std::vector<NcclTransfer>& transfers, std::int64_t begin_ns) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Progress> all;
  for (const NcclTransfer& transfer : transfers) all.push_back({.transfer = transfer});
  NcclMet met{.begin_ns = begin_ns};
  const SharedWord& bell = memory_.head().of_rank[rank()].bell;
  is_asleep_long_ = false;
  Clock::time_point late = end_of_patience();
  while (true) {
    const std::uint32_t rung = bell;
    if (memory_.head().of_rank[rank()].has_left != 0) return broken(NcclEnd::aborted);
    bool has_moved = false;
    bool is_done = true;
    std::vector<std::pair<bool, int>> busy;  // a later message of the same way waits for the earlier one
    for (Progress& progress : all) {
      if (progress.is_done) continue;
      const std::pair<bool, int> way{progress.transfer.is_send, progress.transfer.peer};
      const int lost = lost_rank(progress.transfer.peer);
      if (std::find(busy.begin(), busy.end(), way) == busy.end()) has_moved |= step(progress, met.begin_ns, begin_ns);
      if (progress.is_wrong) return broken(NcclEnd::mismatch);
      if (progress.is_done) continue;
      busy.push_back(way);
      is_done = false;
      if (lost >= 0 && !has_moved) {
        lost_ = lost;
        return broken(lost == rank() ? NcclEnd::aborted : NcclEnd::rank_lost);
      }
    }
    if (is_done) return met;
    if (has_moved) late = end_of_patience();
    if (Clock::now() >= late) return broken(NcclEnd::rank_late);
    if (!has_moved) sleep(bell, rung);
  }
}

bool NcclMeeting::step(Progress& progress, std::int64_t& begin_ns, std::int64_t own_begin_ns) {
  const bool has_moved = progress.transfer.is_send ? step_send(progress, begin_ns, own_begin_ns)
                                                   : step_receive(progress, begin_ns, own_begin_ns);
  if (has_moved) {
    ring(progress.transfer.peer);
    is_asleep_long_ = false;
  }
  return has_moved;
}

/// A sender puts a letter down when the last one was taken, and is done when all were.
bool NcclMeeting::step_send(Progress& progress, std::int64_t& begin_ns, std::int64_t own_begin_ns) {
  NcclLetter& letter = memory_.letter(rank(), progress.transfer.peer);
  if (letter.is_full != 0) return false;
  if (progress.is_posted) {
    begin_ns = std::max(begin_ns, letter.receiver_begin_ns);
    progress.is_posted = false;
    if (progress.done_bytes == progress.transfer.bytes || !progress.transfer.moved) {
      progress.is_done = true;
      return true;
    }
  }
  const std::uint64_t left = progress.transfer.bytes - progress.done_bytes;
  const std::uint64_t bytes = progress.transfer.moved ? std::min(nccl_letter_bytes, left) : 0;
  letter.bytes = static_cast<std::uint32_t>(bytes);
  letter.total_bytes = progress.transfer.bytes;
  letter.sender_begin_ns = own_begin_ns;
  if (bytes > 0) {
    std::memcpy(memory_.letter_bytes(rank(), progress.transfer.peer), progress.transfer.address + progress.done_bytes,
                bytes);
  }
  progress.done_bytes += bytes;
  progress.is_posted = true;
  letter.is_full = 1;
  return true;
}

bool NcclMeeting::step_receive(Progress& progress, std::int64_t& begin_ns, std::int64_t own_begin_ns) {
  NcclLetter& letter = memory_.letter(progress.transfer.peer, rank());
  if (letter.is_full == 0) return false;
  if (letter.total_bytes != progress.transfer.bytes) {
    progress.is_wrong = true;
    return false;
  }
  if (letter.bytes > 0) {
    std::memcpy(progress.transfer.address + progress.done_bytes, memory_.letter_bytes(progress.transfer.peer, rank()),
                letter.bytes);
  }
  begin_ns = std::max(begin_ns, letter.sender_begin_ns);
  progress.done_bytes += letter.bytes;
  progress.is_done = letter.bytes == 0 || progress.done_bytes >= letter.total_bytes;
  letter.receiver_begin_ns = own_begin_ns;
  letter.is_full = 0;
  return true;
}

}  // namespace stepgate::emulator
