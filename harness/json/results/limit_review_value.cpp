#include "json/results/limit_review_value.h"

namespace stepgate {
namespace {

Json change_value(const LimitChange& change) {
  Json value = {{"subject", name_of(change.subject)},
                {"move", row_of(change.move).name},
                {"suite", change.suite},
                {"place", change.place}};
  if (!change.key.empty()) value["key"] = change.key;
  if (!change.before.empty()) value["before"] = change.before;
  if (!change.after.empty()) value["after"] = change.after;
  if (!change.note.empty()) value["note"] = change.note;
  value["needs_consent"] = change.needs_consent;
  return value;
}

LimitChange limit_change_at(Reader reader) {
  const auto optional_text = [&](const char* key) {
    const auto found = reader.find(key);
    return found ? found->text() : std::string();
  };
  return {.subject = reader.at("subject").one_of(limit_subject_named, "policy, varying, waiver, baseline, case"),
          .move = reader.at("move").one_of(limit_move_named,
                                           "edited-by-hand, removed, loosened, accepted, changed, tightened, added"),
          .suite = reader.at("suite").text(),
          .place = reader.at("place").text(),
          .key = optional_text("key"),
          .before = optional_text("before"),
          .after = optional_text("after"),
          .note = optional_text("note"),
          .needs_consent = reader.at("needs_consent").boolean()};
}

}  // namespace

Json value_of(const LimitReview& review) {
  Json changes = Json::array();
  for (const LimitChange& change : review.changes) changes.push_back(change_value(change));
  Json value = {{"base_commit", review.base_commit}, {"allowed_by", review.allowed_by}};
  value["lacks_consent"] = lacks_consent(review);
  value["changes"] = std::move(changes);
  value["unread"] = review.unread;
  return value;
}

LimitReview limit_review_at(Reader reader) {
  LimitReview review{.base_commit = reader.at("base_commit").text(),
                     .changes = reader.at("changes").list_of(limit_change_at),
                     .unread = reader.at("unread").texts(),
                     .allowed_by = reader.at("allowed_by").text()};
  const Reader lacks = reader.at("lacks_consent");
  if (lacks.boolean() != lacks_consent(review)) lacks.expected("what the changes and allowed_by add up to");
  return review;
}

}  // namespace stepgate
