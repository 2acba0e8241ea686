// What a tree changes of the limits that judge it, against the base that it left: baseline/limits finds it, report/
// shows it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// What was changed.
enum class LimitSubject { policy, varying, waiver, baseline, guarded_case };

/// How it was changed. Reports list the changes in this order.
enum class LimitMove {
  edited_by_hand,  ///< values of a baseline that no `baseline accept` wrote
  removed,         ///< what the base judges is gone
  loosened,        ///< more passes, or less is looked at
  accepted,        ///< a baseline got worse, with a reason in its provenance
  changed,         ///< no direction is known
  tightened,
  added,
};

struct LimitSubjectName {
  LimitSubject subject;
  std::string_view name;
};
inline constexpr LimitSubjectName limit_subject_names[] = {
    {LimitSubject::policy, "policy"},     {LimitSubject::varying, "varying"},   {LimitSubject::waiver, "waiver"},
    {LimitSubject::baseline, "baseline"}, {LimitSubject::guarded_case, "case"},
};

struct LimitMoveRow {
  LimitMove move;
  std::string_view name;   ///< in files
  std::string_view words;  ///< in reports
  bool loosens;            ///< where the base's policy says so, it needs consent
};
inline constexpr LimitMoveRow limit_moves[] = {
    {LimitMove::edited_by_hand, "edited-by-hand", "edited by hand", true},
    {LimitMove::removed, "removed", "removed", true},
    {LimitMove::loosened, "loosened", "loosened", true},
    {LimitMove::accepted, "accepted", "accepted", false},
    {LimitMove::changed, "changed", "changed", false},
    {LimitMove::tightened, "tightened", "tightened", false},
    {LimitMove::added, "added", "added", false},
};

std::string_view name_of(LimitSubject subject);
std::optional<LimitSubject> limit_subject_named(std::string_view name);
const LimitMoveRow& row_of(LimitMove move);
std::optional<LimitMove> limit_move_named(std::string_view name);

/// One limit that differs. Texts come from files of the tree.
struct LimitChange {
  LimitSubject subject = LimitSubject::policy;
  LimitMove move = LimitMove::changed;
  std::string suite = {};
  std::string place = {};   ///< it holds for this suite, case, or file below the folder of baselines
  std::string key = {};     ///< "margins.matter", "operators_per_step"; "" where the place says everything
  std::string before = {};  ///< as text; "" where there was none
  std::string after = {};
  std::string note = {};  ///< who accepted it and why, how much it is
  bool needs_consent = false;

  bool operator==(const LimitChange&) const = default;
};

/// The limits of a tree beside those of the base.
struct LimitReview {
  std::string base_commit;               ///< "" where unknown
  std::vector<LimitChange> changes;      ///< in the order of LimitMove
  std::vector<std::string> unread = {};  ///< what could not be compared, and why
  std::string allowed_by = {};           ///< who allows what is loosened; "" for nobody
};

/// Sorts by LimitMove; equal moves keep their order.
void loosened_first(std::vector<LimitChange>& changes);

/// How many of the changes loosen a limit, remove one, or were edited by hand.
std::size_t loosened_count(const LimitReview& review);

/// Whether something is loosened that the base's policy wants to be allowed, and nobody allowed it.
bool lacks_consent(const LimitReview& review);

}  // namespace stepgate
