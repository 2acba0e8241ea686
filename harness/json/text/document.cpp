#include "json/text/document.h"

namespace stepgate {

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
