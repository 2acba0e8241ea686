#include "measure/ranks/rank_link.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "core/error.h"
#include "system/descriptor.h"

namespace stepgate {
namespace {

[[noreturn]] void give_up(const std::string& what) {
  throw Error(ErrorKind::measure, what, "see the last output of that rank above");
}

}  // namespace

RankLink::RankLink(std::int64_t rank, std::vector<int> sockets, std::chrono::milliseconds patience)
    : rank_(rank), sockets_(std::move(sockets)), patience_(patience) {}

bool RankLink::agree(bool mine) {
  if (rank_ != 0) {
    tell(0, mine);
    return hear(0);
  }
  bool all = mine;
  for (std::size_t wire = 0; wire < sockets_.size(); ++wire) all = hear(wire) && all;
  for (std::size_t wire = 0; wire < sockets_.size(); ++wire) tell(wire, all);
  return all;
}

std::int64_t RankLink::peer_at(std::size_t wire) const { return rank_ == 0 ? static_cast<std::int64_t>(wire) + 1 : 0; }

bool RankLink::hear(std::size_t wire) const {
  pollfd readable{.fd = sockets_[wire], .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = ::poll(&readable, 1, static_cast<int>(patience_.count()));
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) {
    give_up(fmt::format("rank {} said nothing for {:g} s, and rank {} waits for it", peer_at(wire),
                        static_cast<double>(patience_.count()) / 1000, rank_));
  }
  char word = 0;
  if (ready < 0 || uninterrupted([&] { return ::recv(sockets_[wire], &word, 1, 0); }) != 1) {
    give_up(fmt::format("rank {} ended while rank {} waited for it", peer_at(wire), rank_));
  }
  return word == 'y';
}

void RankLink::tell(std::size_t wire, bool value) const {
  const char word = value ? 'y' : 'n';
  if (uninterrupted([&] { return ::send(sockets_[wire], &word, 1, MSG_NOSIGNAL); }) != 1) {
    give_up(fmt::format("rank {} ended while rank {} spoke to it", peer_at(wire), rank_));
  }
}

}  // namespace stepgate
