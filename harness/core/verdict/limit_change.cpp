#include "core/verdict/limit_change.h"

#include <algorithm>

namespace stepgate {

std::string_view name_of(LimitSubject subject) {
  for (const LimitSubjectName& row : limit_subject_names) {
    if (row.subject == subject) return row.name;
  }
  return "";
}

std::optional<LimitSubject> limit_subject_named(std::string_view name) {
  for (const LimitSubjectName& row : limit_subject_names) {
    if (row.name == name) return row.subject;
  }
  return std::nullopt;
}

const LimitMoveRow& row_of(LimitMove move) {
  return *std::find_if(std::begin(limit_moves), std::end(limit_moves),
                       [&](const LimitMoveRow& row) { return row.move == move; });
}

std::optional<LimitMove> limit_move_named(std::string_view name) {
  for (const LimitMoveRow& row : limit_moves) {
    if (row.name == name) return row.move;
  }
  return std::nullopt;
}

void loosened_first(std::vector<LimitChange>& changes) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const LimitChange& a, const LimitChange& b) { return a.move < b.move; });
}

std::size_t loosened_count(const LimitReview& review) {
  return static_cast<std::size_t>(std::count_if(review.changes.begin(), review.changes.end(),
                                                [](const LimitChange& change) { return row_of(change.move).loosens; }));
}

bool lacks_consent(const LimitReview& review) {
  return review.allowed_by.empty() && std::any_of(review.changes.begin(), review.changes.end(),
                                                  [](const LimitChange& change) { return change.needs_consent; });
}

}  // namespace stepgate
