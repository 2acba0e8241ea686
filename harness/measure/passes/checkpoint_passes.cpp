#include "measure/passes/checkpoint_passes.h"

#include "core/error.h"
#include "measure/step/step_checks.h"
#include "system/files/fresh_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// LibTorch writes the name of the file into it, so it has the same length in every save.
constexpr const char* checkpoint_name = "checkpoint.pt";

std::int64_t bytes_below(const fs::path& folder) {
  std::int64_t bytes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += static_cast<std::int64_t>(entry.file_size());
  }
  return bytes;
}

/// Absent: nothing was saved. `around` calls the save, and may time it.
template <typename Around>
std::optional<std::int64_t> saved_bytes(StepActions& actions, const CheckpointPlace& place, Around around) {
  const FreshFolder folder(place.beside, "checkpoint");
  const fs::path path = folder.path() / checkpoint_name;
  StepSaves* const saves = actions.abilities().saves;
  bool saved = false;
  around([&] { saved = saves != nullptr && saves->save_checkpoint(path); });
  if (!saved) return std::nullopt;
  const std::int64_t bytes = bytes_below(folder.path());
  if (bytes > 0 || place.may_be_empty) return bytes;
  throw Error(ErrorKind::measure, "save_checkpoint() returned true and wrote nothing",
              "write to the path that it gets, or return false");
}

}  // namespace

std::optional<CheckpointSaves> run_checkpoint(TimedRun& run, const CheckpointPlace& place) {
  require_positive({"checkpoint", run.steps.checkpoint});
  CheckpointSaves saves;
  for (std::int64_t save = 0; save < run.steps.checkpoint; ++save) {
    const auto bytes = saved_bytes(run.actions, place, [&](const auto& write) {
      run.backend.synchronize();
      const std::int64_t begin_ns = run.backend.now_ns();
      write();
      run.backend.synchronize();
      saves.save_ns.push_back(run.backend.now_ns() - begin_ns);
    });
    if (!bytes) return std::nullopt;
    saves.bytes.push_back(*bytes);
  }
  return saves;
}

std::optional<CheckpointSaves> run_checkpoint_bytes(StepActions& actions, const StepCounts& steps,
                                                    const CheckpointPlace& place) {
  require_positive({"checkpoint_bytes", steps.checkpoint_bytes});
  require_not_negative({"exact_warmup", steps.exact_warmup});
  for (std::int64_t step = 0; step < steps.exact_warmup; ++step) {
    for (const Boundary boundary : actions.boundaries().order()) actions.run(boundary, step);
    actions.release();
  }
  CheckpointSaves saves;
  for (std::int64_t save = 0; save < steps.checkpoint_bytes; ++save) {
    const auto bytes = saved_bytes(actions, place, [](const auto& write) { write(); });
    if (!bytes) return std::nullopt;
    saves.bytes.push_back(*bytes);
  }
  return saves;
}

}  // namespace stepgate
