#include "json/studies/case_modes_json.h"

#include "json/text/canonical_text.h"

namespace stepgate {
namespace {

constexpr DocumentType case_modes_document{"stepgate.case_modes",
                                           "a list of needed modes",
                                           1,
                                           0,
                                           ErrorKind::measure,
                                           "ask again: stepgate doctor CASE --device emulated:MODEL --json"};

}  // namespace

std::string to_text(const CaseModes& modes) {
  Json document = document_of(case_modes_document);
  document["device"] = modes.device;
  Json& cases = document["cases"] = Json::array();
  for (const CaseMode& each : modes.cases) {
    cases.push_back({{"case", each.case_name}, {"mode", name_of(each.mode)}, {"reason", each.reason}});
  }
  return canonical_text(document, {"case_modes.json", case_modes_document});
}

}  // namespace stepgate
