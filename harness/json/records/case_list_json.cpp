#include "json/records/case_list_json.h"

#include "json/text/reader.h"

namespace stepgate {
namespace {

constexpr DocumentType cases_document{
    "stepgate.cases", "a list of cases", 1, 0, ErrorKind::measure, "run the program by hand: PROGRAM --list --json"};

}  // namespace

std::optional<std::map<std::string, std::string>> declared_params(std::string_view text, const std::string& source,
                                                                  std::string_view case_name) {
  const Origin origin{source, cases_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  std::optional<std::map<std::string, std::string>> found;
  reader.at("cases").list_of([&](Reader& one) {
    if (one.at("name").text() == case_name) found = one.at("params").text_map();
    return true;
  });
  return found;
}

}  // namespace stepgate
