#include "judge/history/commit_order.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/text/commit_text.h"

namespace stepgate {
namespace {

using Number = std::optional<std::int64_t>;

Number larger(const Number& a, const Number& b) { return a && b ? std::max(a, b) : (a ? a : b); }
Number smaller(const Number& a, const Number& b) { return a && b ? std::min(a, b) : (a ? a : b); }

void take_facts(const HistorySession& session, CommitFacts& commit) {
  commit.number = larger(commit.number, session.commit_number);
  commit.first_parent_number = larger(commit.first_parent_number, session.first_parent_number);
  commit.sequence = smaller(commit.sequence, session.sequence);
  commit.first_measured_s = std::min(commit.first_measured_s, session.unix_s);
  if (commit.first_parent.empty() && !session.parents.empty()) commit.first_parent = session.parents.front();
}

/// The largest number among those whose key is at most the given one.
class NumberByKey {
 public:
  void add(std::int64_t key, std::int64_t number) { entries_.emplace_back(key, number); }

  void finish() {
    std::sort(entries_.begin(), entries_.end());
    for (std::size_t i = 1; i < entries_.size(); ++i)
      entries_[i].second = std::max(entries_[i].second, entries_[i - 1].second);
  }

  Number at(std::int64_t key) const {
    const auto after = std::upper_bound(entries_.begin(), entries_.end(), key,
                                        [](std::int64_t wanted, const auto& entry) { return wanted < entry.first; });
    return after == entries_.begin() ? Number() : Number(std::prev(after)->second);
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> entries_;
};

/// Where a commit stands; compared from the first field to the last.
struct PlaceKey {
  std::int64_t number;    ///< its own, or that of the last commit known to be before it
  bool without_number;    ///< behind the commit that has the number
  std::int64_t sequence;  ///< likewise
  bool without_sequence;
  std::int64_t measured_s;

  auto operator<=>(const PlaceKey&) const = default;
};

class PlaceKeys {
 public:
  explicit PlaceKeys(const std::vector<CommitFacts>& commits) {
    for (const CommitFacts& commit : commits) {
      if (commit.number) number_at_time_.add(commit.first_measured_s, *commit.number);
      if (commit.sequence) sequence_at_time_.add(commit.first_measured_s, *commit.sequence);
      if (commit.number && commit.sequence) number_at_sequence_.add(*commit.sequence, *commit.number);
    }
    number_at_time_.finish();
    sequence_at_time_.finish();
    number_at_sequence_.finish();
  }

  PlaceKey key_of(const CommitFacts& commit) const {
    constexpr std::int64_t before_all = -1;
    const Number number = commit.number ? commit.number : number_before(commit);
    const Number sequence = commit.sequence ? commit.sequence : sequence_at_time_.at(commit.first_measured_s);
    return {.number = number.value_or(before_all),
            .without_number = !commit.number,
            .sequence = sequence.value_or(before_all),
            .without_sequence = !commit.sequence,
            .measured_s = commit.first_measured_s};
  }

 private:
  Number number_before(const CommitFacts& commit) const {
    const Number by_sequence = commit.sequence ? number_at_sequence_.at(*commit.sequence) : Number();
    return by_sequence ? by_sequence : number_at_time_.at(commit.first_measured_s);
  }

  NumberByKey number_at_time_;
  NumberByKey sequence_at_time_;
  NumberByKey number_at_sequence_;
};

/// Both have a number. On one line of first parents both numbers grow, and the parent of the next commit is the one
/// before it.
bool are_on_one_line(const CommitFacts& a, const CommitFacts& b) {
  if (*a.number >= *b.number) return false;
  if (!a.first_parent_number || !b.first_parent_number) return true;
  if (*a.first_parent_number >= *b.first_parent_number) return false;
  const bool next = *a.first_parent_number + 1 == *b.first_parent_number;
  // git prints whole ids, and STEPGATE_COMMIT may have given a shorter one.
  return !next || b.first_parent.empty() || names_commit(a.id, b.first_parent);
}

}  // namespace

bool stands_before(const CommitFacts& a, const CommitFacts& b) {
  if (a.number && b.number && are_on_one_line(a, b)) return true;
  return a.sequence && b.sequence && *a.sequence < *b.sequence;
}

CommitOrder::CommitOrder(const std::vector<HistorySession>& sessions)
    : sessions_(sessions.size()), place_of_session_(sessions.size()) {
  std::unordered_map<std::string_view, std::size_t> index;
  std::vector<CommitFacts> commits;
  commits.reserve(sessions.size());
  std::vector<std::size_t> commit_of(sessions.size());
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const auto [at, is_new] = index.emplace(sessions[i].commit, commits.size());
    if (is_new) commits.push_back({.id = sessions[i].commit, .first_measured_s = sessions[i].unix_s});
    commit_of[i] = at->second;
    take_facts(sessions[i], commits[at->second]);
  }
  const PlaceKeys keys(commits);
  std::vector<PlaceKey> key_of;
  key_of.reserve(commits.size());
  for (const CommitFacts& commit : commits) key_of.push_back(keys.key_of(commit));
  std::vector<std::size_t> order(commits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(key_of[a], commits[a].id) < std::tie(key_of[b], commits[b].id);
  });
  std::vector<std::size_t> place_of_commit(commits.size());
  commits_.reserve(commits.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    place_of_commit[order[place]] = place;
    commits_.push_back(std::move(commits[order[place]]));
  }
  for (std::size_t i = 0; i < sessions.size(); ++i) place_of_session_[i] = place_of_commit[commit_of[i]];
  std::iota(sessions_.begin(), sessions_.end(), std::size_t{0});
  std::sort(sessions_.begin(), sessions_.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(place_of_session_[a], sessions[a].unix_s, sessions[a].run) <
           std::tie(place_of_session_[b], sessions[b].unix_s, sessions[b].run);
  });
}

PlaceBy CommitOrder::placed_by(std::size_t place) const {
  if (commits_[place].number) return PlaceBy::ancestry;
  return commits_[place].sequence ? PlaceBy::sequence : PlaceBy::measurement;
}

}  // namespace stepgate
