#include "json/records/run_record_json.h"

#include <fmt/format.h>

#include "json/records/run_record_value.h"
#include "json/text/canonical_text.h"

namespace stepgate {

std::string to_text(const RunRecord& record) {
  Json document = document_of(run_record_document);
  add_run_record(document, record);
  return canonical_text(document, {fmt::format("run record of {}", record.case_name), run_record_document});
}

RunRecord run_record_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, run_record_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  return run_record_at(reader);
}

}  // namespace stepgate
