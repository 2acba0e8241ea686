#include "measure/ranks/train_together.h"

#include <fmt/format.h>

#include "core/error.h"
#include "json/records/run_record_json.h"
#include "measure/ranks/rank_merge.h"
#include "measure/ranks/rank_share.h"
#include "system/files/file.h"
#include "system/files/fresh_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view record_flag = "--stepgate_record=";

fs::path record_of(const FreshFolder& folder, std::int64_t rank) {
  return folder.path() / fmt::format("rank-{}.json", rank);
}

std::vector<std::string> command_of(const TogetherRequest& request, const FreshFolder& folder, std::int64_t rank) {
  std::vector<std::string> command = {request.program.string()};
  for (const std::string& argument : request.arguments) {
    if (!argument.starts_with(record_flag)) command.push_back(argument);
  }
  command.push_back(fmt::format("{}{}", record_flag, record_of(folder, rank).string()));
  command.push_back(fmt::format("--stepgate_rank={}", rank));
  command.push_back(fmt::format("--stepgate_rendezvous={}", folder.path().string()));
  return command;
}

}  // namespace

RanksEnd train_together(const TogetherRequest& request) {
  const FreshFolder folder(request.record, "ranks");
  RankProcesses processes;
  processes.on_line = request.on_line;
  processes.places = request.places;
  processes.variables = request.variables;
  const std::vector<int> cpus = inherited_cpus();
  for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
    processes.commands.push_back(command_of(request, folder, rank));
    processes.cpus.push_back(cpus_of_rank(cpus, rank, request.ranks));
  }
  RanksEnd end = run_ranks(processes);
  if (end.failure || end.interrupted_by != 0) return end;
  std::vector<RunRecord> records;
  for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
    const fs::path file = record_of(folder, rank);
    records.push_back(run_record_from_text(read_text_file(file, ErrorKind::measure), file.string()));
  }
  write_file_atomically(request.record, to_text(merged_ranks(records)));
  return end;
}

}  // namespace stepgate
