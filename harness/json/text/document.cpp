#include "json/text/document.h"

#include "json/text/document_tree.h"

namespace stepgate {

Json parse_document(std::string_view text, const Origin& origin) { return json_of(read_document(text, origin), 0); }

Json object_with_room(std::size_t members) {
  Json object = Json::object();
  object.get_ref<Json::object_t&>().reserve(members);
  return object;
}

Json document_of(const DocumentType& type) {
  constexpr std::size_t most_members = 32;
  Json document = object_with_room(most_members);
  document["schema"] = {{"name", type.name}, {"major", type.major}, {"minor", type.minor}};
  return document;
}

}  // namespace stepgate
