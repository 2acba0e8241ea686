#include "json/results/step_difference_json.h"

#include "json/records/passes/observed_work_value.h"
#include "json/text/canonical_text.h"
#include "json/text/document.h"

namespace stepgate {
namespace {

constexpr DocumentType difference_document{"stepgate.difference", "a difference of two builds",         1, 0,
                                           ErrorKind::measure,    "compare again: stepgate ab CASE ..."};

Json value_of(const RowWork& work) {
  return {{"calls", work.calls}, {"flops", work.flops}, {"bytes", work.bytes}, {"self_ns", work.self_ns}};
}

Json value_of(const DifferenceRow& row) {
  Json value = {{"boundary", row.boundary},
                {"operator", row.name},
                {"work", name_of(row.change)},
                {"base", value_of(row.base)},
                {"head", value_of(row.head)},
                {"difference_ns", row.difference_ns},
                {"says", row.says}};
  if (row.at) value["at"] = value_of(*row.at);
  if (row.lower_ns && row.upper_ns) value["interval_ns"] = Json::array({*row.lower_ns, *row.upper_ns});
  if (row.p_value) value["p_value"] = *row.p_value;
  if (!row.operands.empty()) value["operands"] = row.operands;
  return value;
}

}  // namespace

std::string to_text(const StepDifference& difference) {
  Json document = document_of(difference_document);
  document["case"] = difference.case_name;
  document["base_commit"] = difference.base_commit;
  document["head_commit"] = difference.head_commit;
  document["pairs"] = difference.pairs;
  document["step_ns"] = difference.step_ns;
  document["total_ns"] = difference.total_ns;
  document["total_from"] = difference.total_measured ? "timed pairs" : "observed operators";
  document["explained_ns"] = difference.explained_ns;
  document["alike_ns"] = difference.alike_ns;
  document["rest_ns"] = difference.rest_ns;
  document["alike"] = {{"ratio", difference.alike.ratio},
                       {"interval", Json::array({difference.alike.lower, difference.alike.upper})},
                       {"differs", difference.alike.differs}};
  document["tested"] = difference.tested;
  document["observer_ns_a_call"] = difference.observer_ns_a_call;
  Json& rows = document["rows"] = Json::array();
  for (const DifferenceRow& row : difference.rows) rows.push_back(value_of(row));
  document["says"] = difference.says;
  document["notes"] = difference.notes;
  return canonical_text(document, {"difference.json", difference_document});
}

}  // namespace stepgate
