// In which order the commits of a history stand, by what its sessions store. No clock of a measurement decides it where
// anything else can: old commits are measured late, commits are measured again, and clocks jump.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/stored/history.h"
#include "core/study/history_report.h"

namespace stepgate {

/// What all sessions of one commit say about its place.
struct CommitFacts {
  std::string id;
  /// git rev-list --count: it grows along every line of commits. A shallow clone counts too few, so the largest one
  /// is right.
  std::optional<std::int64_t> number = {};
  std::optional<std::int64_t> first_parent_number = {};
  std::string first_parent = {};              ///< "" where it is not known
  std::optional<std::int64_t> sequence = {};  ///< the smallest one: a commit is measured again later
  std::int64_t first_measured_s = 0;
};

/// Whether `a` is known to stand before `b`: by ancestry where both have a number and lie on one line, else by the
/// sequence. Two commits of one number, or on two lines, are in no known order; neither are two without any number.
bool stands_before(const CommitFacts& a, const CommitFacts& b);

/// Each commit at its number. One without a number stands behind the last one that is known to be before it: by the
/// sequence, or else by the time of its measurement, which is marked.
class CommitOrder {
 public:
  explicit CommitOrder(const std::vector<HistorySession>& sessions);

  /// Indices of all sessions: oldest commit first, sessions of one commit by time.
  const std::vector<std::size_t>& sessions() const { return sessions_; }
  /// The commit of a session, counted from the oldest.
  std::size_t place_of(std::size_t session) const { return place_of_session_[session]; }
  PlaceBy placed_by(std::size_t place) const;
  /// Whether the commit at the first place is known to be older than the one at the second.
  bool is_clear(std::size_t place, std::size_t later) const { return stands_before(commits_[place], commits_[later]); }

 private:
  std::vector<CommitFacts> commits_;  ///< by place
  std::vector<std::size_t> sessions_;
  std::vector<std::size_t> place_of_session_;
};

}  // namespace stepgate
