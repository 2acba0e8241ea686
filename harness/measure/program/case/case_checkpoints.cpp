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

void declare_unsaved(RunRecord& record) {
  constexpr const char* saves_itself = "a loop of its own saves when it likes: give the save a boundary of its own";
  if (record.group == Group::timed && record.steps.checkpoint > 0) record.absent[save_metric] = saves_itself;
  if (record.group == Group::exact && record.steps.checkpoint_bytes > 0)
    record.absent[checkpoint_bytes_metric] = saves_itself;
}

}  // namespace stepgate
