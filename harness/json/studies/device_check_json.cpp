#include "json/studies/device_check_json.h"

#include "json/text/canonical_text.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

constexpr DocumentType device_check_document{"stepgate.device_check",
                                             "the figures of a device check",
                                             1,
                                             0,
                                             ErrorKind::measure,
                                             "run the check again: stepgate_device_check --check NAME"};

}  // namespace

std::string to_text(const DeviceFigures& figures) {
  Json document = document_of(device_check_document);
  document["check"] = figures.check;
  document["values"] = figures.values;
  document["texts"] = figures.texts;
  document["absent"] = figures.absent;
  return canonical_text(document, {"device_check.json", device_check_document});
}

DeviceFigures device_figures_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, device_check_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  return {.check = reader.at("check").text(),
          .values = reader.at("values").map_of(&Reader::number),
          .texts = reader.at("texts").text_map(),
          .absent = reader.at("absent").text_map()};
}

}  // namespace stepgate
