#include "measure/program/case/held_places.h"

#include <cstdlib>
#include <system_error>

namespace stepgate {

HeldPlaces held_places_of(const std::filesystem::path& record, bool has_driver) {
  HeldPlaces places{.has_driver = has_driver};
  std::error_code gone;
  places.working = std::filesystem::current_path(gone);
  if (!record.empty()) places.records = std::filesystem::weakly_canonical(record, gone).parent_path();
  if (const char* folder = std::getenv("TMPDIR"); folder != nullptr)
    places.temporary = std::filesystem::weakly_canonical(folder, gone);
  return places;
}

}  // namespace stepgate
