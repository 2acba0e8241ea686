#include "report/gate/limit_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/commit_text.h"
#include "core/text/number_format.h"

namespace stepgate {
namespace {

/// Short enough for the labels of a terminal page.
std::string_view label_of_move(LimitMove move) {
  return move == LimitMove::edited_by_hand ? std::string_view("by hand") : row_of(move).words;
}

std::string changed_values(const LimitChange& change) {
  if (change.before.empty() && change.after.empty()) return "";
  const auto shown = [](const std::string& value) { return value.empty() ? std::string("none") : value; };
  return fmt::format(" {} -> {}", shown(change.before), shown(change.after));
}

std::string text_of_change(const LimitChange& change) {
  std::string text = fmt::format("{} {}", name_of(change.subject), change.place);
  if (change.move == LimitMove::edited_by_hand) text += ", edited while its acceptance is that of the base";
  if (!change.key.empty()) text += ": " + change.key;
  text += changed_values(change);
  if (!change.note.empty()) text += change.key.empty() ? ": " + change.note : fmt::format(" ({})", change.note);
  return text;
}

}  // namespace

std::vector<LimitLine> limit_lines(const LimitReview& review) {
  std::vector<LimitLine> lines;
  for (const LimitChange& change : review.changes)
    lines.push_back({label_of_move(change.move), text_of_change(change), row_of(change.move).loosens});
  for (const std::string& what : review.unread) lines.push_back({"not read", what, false});
  return lines;
}

bool tells_limits(const RunReport& report) {
  return report.limits && (!report.limits->changes.empty() || !report.limits->unread.empty());
}

std::string limits_heading(const LimitReview& review) {
  const std::string base = review.base_commit.empty() ? "of unknown commit" : short_commit(review.base_commit);
  return "Limits of this tree, against the base " + base;
}

std::string loosened_words(const RunReport& report) {
  if (!report.limits) return "";
  const LimitReview& review = *report.limits;
  const std::size_t count = loosened_count(review);
  if (count == 0) return "";
  const std::string words = counted(count, "limit") + " loosened";
  if (lacks_consent(review)) return words + " without consent";
  return review.allowed_by.empty() ? words : words + ", allowed by " + review.allowed_by;
}

std::string consent_advice(const LimitReview& review) {
  if (!lacks_consent(review)) return "";
  return "the policy of the base asks for consent. Take these changes back, or have somebody allow them: "
         "--allow-loosening NAME (on a pull request a label does it: docs/pull_requests.md, \"Loosened limits\")";
}

std::vector<LimitLine> first_lines(std::vector<LimitLine> lines, std::size_t most) {
  if (lines.size() <= most) return lines;
  const std::size_t more = lines.size() - most;
  lines.resize(most);
  lines.push_back({"", fmt::format("and {}: verdict.json has all", counted(more, "more change")), false});
  return lines;
}

}  // namespace stepgate
