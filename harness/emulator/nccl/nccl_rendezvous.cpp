#include "emulator/nccl/nccl_rendezvous.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "emulator/nccl/nccl_relatives.h"
#include "emulator/nccl/nccl_shared.h"

namespace stepgate::emulator {
namespace {

using Clock = std::chrono::steady_clock;

/// Rank 0 may come later than others: they ask again after it.
constexpr std::chrono::milliseconds ask_again_after{5};
/// How often a rank that waits for others looks whether they live.
constexpr std::chrono::milliseconds look_after{50};

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

struct Greeting {
  int rank = 0;
  int ranks = 0;
};

struct Address {
  sockaddr_un socket{};
  socklen_t bytes = 0;
};

/// The first byte of an abstract name is 0.
Address socket_address(const std::string& name) {
  Address address;
  address.socket.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof(address.socket.sun_path) - 1);
  std::memcpy(address.socket.sun_path + 1, name.data(), length);
  address.bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  return address;
}

const sockaddr* generic(const Address& address) { return reinterpret_cast<const sockaddr*>(&address.socket); }

int new_socket() { return ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0); }

int ms_until(Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(0, left));
}

bool is_readable(int descriptor, Clock::time_point end) {
  pollfd asked{descriptor, POLLIN, 0};
  int ready = -1;
  do {
    ready = ::poll(&asked, 1, ms_until(end));
  } while (ready < 0 && errno == EINTR);
  return ready == 1;
}

/// The process at the other end; 0 where it is another user's.
int peer_pid(int connection) {
  ucred peer{};
  socklen_t bytes = sizeof(peer);
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0) return 0;
  return peer.uid == ::geteuid() ? peer.pid : 0;
}

bool send_file(int connection, int file) {
  char text = 'm';
  iovec part{&text, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &file, sizeof(int));
  return ::sendmsg(connection, &message, MSG_NOSIGNAL) == 1;
}

int receive_file(int connection) {
  char text = 0;
  iovec part{&text, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  if (::recvmsg(connection, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return -1;
  int file = -1;
  std::memcpy(&file, CMSG_DATA(header), sizeof(int));
  return file;
}

NcclRoom failed(std::string error) { return {.error = std::move(error)}; }

struct Guest {
  int connection = -1;
  Clock::time_point end;  ///< until when it may be waited for
};

/// "" where one more rank has come.
std::string admit(const NcclPlace& place, const Guest& guest, NcclRoom& room) {
  Greeting greeting;
  const int connection = guest.connection;
  if (!is_readable(connection, guest.end)) return "a rank came and said nothing";
  const int pid = peer_pid(connection);
  if (::recv(connection, &greeting, sizeof(greeting), 0) != sizeof(greeting)) return "a rank has gone";
  const bool fits = greeting.ranks == place.ranks && greeting.rank > 0 && greeting.rank < place.ranks;
  if (!fits || room.pids[greeting.rank] != 0) return "two ranks do not agree on their numbers";
  if (!send_file(connection, room.file)) return "a rank has gone";
  room.pids[greeting.rank] = pid;
  return "";
}

/// Why the missing ranks cannot all come; "" where they can.
std::string lost_guest(const NcclPlace& place, const NcclRoom& room, int missing, NcclRelatives& relatives) {
  std::set<int> come;
  for (int rank = 1; rank < place.ranks; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    const int known = at < place.pids.size() ? place.pids[at] : 0;
    const int pid = room.pids[rank] != 0 ? room.pids[rank] : known;
    if (room.pids[rank] != 0) come.insert(pid);
    if (pid != 0 && has_ended(pid)) return "rank " + std::to_string(rank) + " ended before all had come";
  }
  return relatives.are_too_few(missing, come) ? "a rank ended before it came" : "";
}

/// Those that have come hold the memory, and wait there.
NcclRoom sent_away(Descriptor& file, const NcclPlace& place, std::string error) {
  const NcclSharedMemory memory(file.release(), place.ranks);
  if (memory.is_mapped()) {
    memory.head().of_rank[0].has_left = 1;
    wake_all(memory.head().generation);
  }
  return failed(std::move(error));
}

NcclRoom open_room(const NcclPlace& place, Clock::time_point end) {
  const Descriptor door(new_socket());
  const Address address = socket_address(place.name);
  if (::bind(door.number(), generic(address), address.bytes) != 0 || ::listen(door.number(), place.ranks) != 0) {
    return failed("rank 0 cannot listen");
  }
  Descriptor file(NcclSharedMemory::make_file(place.ranks));
  if (file.number() < 0) return failed("the host has no memory for the communicator");
  NcclRoom room{.file = file.number()};
  room.pids[0] = ::getpid();
  NcclRelatives relatives(::getpid());
  for (int missing = place.ranks - 1; missing > 0;) {
    const bool has_guest = is_readable(door.number(), std::min(end, Clock::now() + look_after));
    const Descriptor guest(has_guest ? ::accept4(door.number(), nullptr, nullptr, SOCK_CLOEXEC) : -1);
    if (peer_pid(guest.number()) == 0) {  // nobody, or another user's process: everybody can read the socket's name
      if (ms_until(end) == 0) return sent_away(file, place, "not all ranks came in time");
      std::string lost = lost_guest(place, room, missing, relatives);
      if (!lost.empty()) return sent_away(file, place, std::move(lost));
      if (has_guest) std::this_thread::sleep_for(ask_again_after);
      continue;
    }
    if (std::string error = admit(place, {guest.number(), end}, room); !error.empty()) {
      return sent_away(file, place, std::move(error));
    }
    --missing;
  }
  file.release();
  return room;
}

NcclRoom ask_for_room(const NcclPlace& place, Clock::time_point end) {
  const Address address = socket_address(place.name);
  const Descriptor connection(new_socket());
  const int host = place.pids.empty() ? 0 : place.pids[0];
  while (::connect(connection.number(), generic(address), address.bytes) != 0) {
    if (ms_until(end) == 0) return failed("rank 0 did not come in time");
    if (host != 0 && has_ended(host)) return failed("rank 0 ended before it came");
    std::this_thread::sleep_for(ask_again_after);
  }
  NcclRoom room;
  room.pids[0] = peer_pid(connection.number());
  if (room.pids[0] == 0) return failed("rank 0 is another user's process");
  const Greeting greeting{place.rank, place.ranks};
  if (::send(connection.number(), &greeting, sizeof(greeting), MSG_NOSIGNAL) != sizeof(greeting) ||
      !is_readable(connection.number(), end)) {
    return failed("rank 0 has gone");
  }
  room.file = receive_file(connection.number());
  if (room.file < 0) room.error = "rank 0 has gone";
  return room;
}

}  // namespace

std::string new_nccl_name() {
  unsigned char random[16] = {};
  if (::getrandom(random, sizeof(random), 0) != sizeof(random)) return "";
  std::string name = "stepgate-nccl-";
  for (const unsigned char byte : random) {
    for (const unsigned digit : {byte / 16U, byte % 16U}) name += "0123456789abcdef"[digit];
  }
  return name + "." + std::to_string(::getpid());
}

int maker_of_nccl_name(const std::string& name) {
  const std::size_t point = name.find('.');
  int pid = 0;
  if (point == std::string::npos) return 0;
  const auto [end, error] = std::from_chars(name.data() + point + 1, name.data() + name.size(), pid);
  return error == std::errc() ? pid : 0;
}

NcclRoom enter_room(const NcclPlace& place) {
  if (place.name.size() > 100) return failed("the communicator's name is too long");
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(place.patience_ms);
  return place.rank == 0 ? open_room(place, end) : ask_for_room(place, end);
}

}  // namespace stepgate::emulator
