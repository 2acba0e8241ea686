#include "json/history/history_json.h"

#include <algorithm>
#include <optional>

#include "json/history/history_document.h"
#include "json/text/canonical_text.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

Json half_value(const HistoryHalf& half) {
  Json value = {{"key", half.key}, {"values", Json::object()}};
  Json::object_t& members = value["values"].get_ref<Json::object_t&>();
  for (const HistoryValue& one : half.values)
    members.emplace_back(one.metric, Json::array({one.median, one.replicates, one.spread}));
  if (!half.repetitions.empty()) value["repetitions"] = half.repetitions;
  return value;
}

bool is_imported(const HistorySession& session) {
  return std::ranges::any_of(session.cases, [](const HistoryCase& one) {
    return (one.exact && !one.exact->repetitions.empty()) || (one.timed && !one.timed->repetitions.empty());
  });
}

bool says_its_place(const HistorySession& session) {
  return session.first_parent_number || session.sequence || !session.parents.empty();
}

const DocumentType& type_of(const HistorySession& session) {
  if (says_its_place(session)) return ordered_session_document;
  return is_imported(session) ? imported_session_document : history_session_document;
}

std::optional<AcknowledgedKind> acknowledged_kind_named(std::string_view name) {
  if (name == "change") return AcknowledgedKind::change;
  if (name == "gone") return AcknowledgedKind::gone;
  return std::nullopt;
}

HistoryRename rename_at(Reader reader) {
  HistoryRename rename{filled_text_at(reader.at("from")), filled_text_at(reader.at("to")), reader.at("commit").text()};
  reader.reject_other_keys();
  return rename;
}

}  // namespace

std::string to_text(const HistorySession& session) {
  Json document = document_of(type_of(session));
  document["class"] = session.runner_class;
  document["utc"] = session.utc;
  document["commit"] = session.commit;
  if (session.commit_number) document["commit_number"] = *session.commit_number;
  if (session.commit_utc) document["commit_utc"] = *session.commit_utc;
  if (session.first_parent_number) document["first_parent_number"] = *session.first_parent_number;
  if (!session.parents.empty()) document["parents"] = session.parents;
  if (session.sequence) document["sequence"] = *session.sequence;
  document["run"] = session.run;
  document["keys"] = session.keys;
  Json& cases = document["cases"] = Json::object();
  for (const HistoryCase& one : session.cases) {
    Json& value = cases[one.name] = Json::object();
    if (one.exact) value["exact"] = half_value(*one.exact);
    if (one.timed) value["timed"] = half_value(*one.timed);
  }
  return canonical_text(document, {session.run + ".json", history_session_document});
}

std::vector<HistoryRename> history_renames_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, history_renames_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  std::vector<HistoryRename> renames = reader.at("renames").list_of(rename_at);
  reader.reject_other_keys();
  return renames;
}

std::string to_text(const Acknowledgement& acknowledged) {
  Json document = document_of(acknowledgement_document);
  document["series"] = acknowledged.series;
  document["commit"] = acknowledged.commit;
  document["reason"] = acknowledged.reason;
  document["utc"] = acknowledged.utc;
  if (acknowledged.change) document["change"] = *acknowledged.change;
  if (acknowledged.kind == AcknowledgedKind::gone) document["kind"] = "gone";
  return canonical_text(document, {"an acknowledged change", acknowledgement_document});
}

Acknowledgement acknowledgement_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, acknowledgement_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  Acknowledgement acknowledged{.series = filled_text_at(reader.at("series")),
                               .commit = filled_text_at(reader.at("commit")),
                               .reason = filled_text_at(reader.at("reason")),
                               .utc = reader.at("utc").text()};
  if (const auto change = reader.find("change")) {
    acknowledged.change = change->number();
    if (!(*acknowledged.change > -1)) change->expected("a relative change above -1");
  }
  if (const auto kind = reader.find("kind")) acknowledged.kind = kind->one_of(acknowledged_kind_named, "change, gone");
  reader.reject_other_keys();
  return acknowledged;
}

}  // namespace stepgate
