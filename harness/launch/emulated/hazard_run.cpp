#include "launch/emulated/hazard_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/record/observed_work.h"
#include "json/records/hazard_lines.h"
#include "launch/emulated/extra_process.h"
#include "launch/replicate/replicate_request.h"
#include "launch/replicate/run_replicate.h"
#include "launch/source_lines.h"
#include "system/elf/elf_symbols.h"
#include "system/files/file.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The file of an earlier run must not be read as this one's, and processes write at its end.
void make_room(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) fs::remove(file, error);
  if (!error) return;
  throw Error(ErrorKind::measure, "cannot write " + file.string() + ": " + error.message(),
              "give another folder with --out");
}

/// Offsets become lines while the program is still the one that ran.
void add_lines(const LaunchRequest& request, StreamHazards& hazards) {
  ObservedWork work;
  work.build_id = build_id_of(request.program);
  for (const StreamHazard& hazard : hazards.found) {
    work.places.push_back(hazard.earlier.place);
    work.places.push_back(hazard.later.place);
  }
  resolve_places(work, SourcePlace{.program = request.program, .source_root = request.source_root});
  for (std::size_t at = 0; at < hazards.found.size(); ++at) {
    hazards.found[at].earlier.place = work.places[2 * at];
    hazards.found[at].later.place = work.places[2 * at + 1];
  }
}

/// 1 where the record does not say.
std::int64_t ranks_of(const RunRecord& record) {
  const auto found = record.fingerprint.find("ranks");
  return found == record.fingerprint.end() ? 1 : integer_from(found->second).value_or(1);
}

/// A case for a GPU copies its batch at least, and so does each of its ranks. A search that saw nothing must not pass
/// for one that found nothing.
StreamHazards read_hazards(const fs::path& file, std::int64_t ranks) {
  const auto text = read_text_file_if_present(file, ErrorKind::measure);
  HazardLines lines = hazards_from_text(text.value_or(""), file.string());
  const StreamHazards& hazards = lines.hazards;
  if (hazards.accesses == 0 && hazards.found.empty()) {
    throw Error(ErrorKind::measure, file.string() + ": the search for hazards saw no access to memory of the GPU",
                "build the targets emulated_gpu and emulated_gpu_values again");
  }
  if (lines.ended_processes < ranks) {
    throw Error(ErrorKind::measure,
                fmt::format("{}: {} of {} processes ended the search for hazards, which had found {}: what the others "
                            "did is not known",
                            file.string(), lines.ended_processes, ranks, hazards.hazards),
                "let each rank of the program end by exit() or by the end of main()");
  }
  return std::move(lines.hazards);
}

}  // namespace

HazardRun run_for_hazards(const LaunchRequest& request, const CpuChoice& cpus, const std::atomic<int>* interrupted) {
  LaunchRequest watched = request;
  watched.out_dir = request.out_dir / "hazards";
  const fs::path file = watched.out_dir / "hazards.jsonl";
  make_room(watched.out_dir, file);
  watched.emulated->settings["hazards"] = file.string();
  const ReplicateRequest asked{.launch = watched, .cpus = cpus, .group = Group::exact, .interrupted = interrupted};
  Replicate process = run_replicate(asked);
  if (process.failure) {
    process.failure = failure_of_extra(*process.failure, "the process that looks for stream hazards");
    return {std::nullopt, std::move(process)};
  }
  try {
    StreamHazards hazards = read_hazards(file, ranks_of(*process.record));
    add_lines(request, hazards);
    std::error_code kept;
    fs::remove(record_path(asked), kept);  // nobody reads it, and no measurement holds it
    return {std::move(hazards), std::nullopt};
  } catch (const Error& error) {
    process.record = std::nullopt;
    process.failure = ReplicateFailure{FailureKind::bad_record, error.what(), ""};
    return {std::nullopt, std::move(process)};
  }
}

void add_hazards(const LaunchRequest& request, const CpuChoice& cpus, const std::atomic<int>* interrupted,
                 Measurement& measurement) {
  const auto& replicates = measurement.replicates;
  if (!request.seeks_hazards || request.unavailable) return;
  if (std::any_of(replicates.begin(), replicates.end(), counts_as_failed)) return;
  if (interrupted != nullptr && interrupted->load() != 0) return;
  HazardRun run = run_for_hazards(request, cpus, interrupted);
  measurement.hazards = std::move(run.hazards);
  if (run.failed) measurement.replicates.push_back(std::move(*run.failed));
}

}  // namespace stepgate
