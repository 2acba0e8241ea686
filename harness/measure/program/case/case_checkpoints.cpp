#include "measure/program/case/case_checkpoints.h"

#include <fmt/format.h>
#include <unistd.h>

namespace stepgate {

CheckpointPlace checkpoint_place(const RunSettings& settings) {
  CheckpointPlace place{.beside = settings.record, .may_be_empty = settings.rank_context.ranks > 1};
  if (place.beside.empty())
    place.beside = std::filesystem::temp_directory_path() / fmt::format("stepgate-{}", ::getpid());
  return place;
}

}  // namespace stepgate
