#include "measure/ranks/train_together.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "core/error.h"
#include "json/records/run_record_json.h"
#include "measure/ranks/rank_merge.h"
#include "measure/ranks/rank_share.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view record_flag = "--stepgate_record=";

/// The destructor removes it with everything in it.
class RankFolder {
 public:
  explicit RankFolder(const fs::path& record) {
    remove_stale(record);
    std::string pattern = record.string() + ".ranks-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw Error(ErrorKind::measure, fmt::format("cannot make the folder {}: {}", pattern, std::strerror(errno)),
                  "give a record in a folder that can be written");
    }
    path_ = pattern;
  }
  RankFolder(const RankFolder&) = delete;
  RankFolder& operator=(const RankFolder&) = delete;
  ~RankFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }
  fs::path record_of(std::int64_t rank) const { return path_ / fmt::format("rank-{}.json", rank); }

 private:
  /// Left by a process that was killed before it could clean up; a record has only one writer at a time.
  static void remove_stale(const fs::path& record) {
    std::error_code ignored;
    const std::string prefix = record.filename().string() + ".ranks-";
    for (const fs::directory_entry& entry : fs::directory_iterator(record.parent_path(), ignored)) {
      if (entry.path().filename().string().starts_with(prefix)) fs::remove_all(entry.path(), ignored);
    }
  }

  fs::path path_;
};

std::vector<std::string> command_of(const TogetherRequest& request, const RankFolder& folder, std::int64_t rank) {
  std::vector<std::string> command = {request.program.string()};
  for (const std::string& argument : request.arguments) {
    if (!argument.starts_with(record_flag)) command.push_back(argument);
  }
  command.push_back(fmt::format("{}{}", record_flag, folder.record_of(rank).string()));
  command.push_back(fmt::format("--stepgate_rank={}", rank));
  command.push_back(fmt::format("--stepgate_rendezvous={}", folder.path().string()));
  return command;
}

}  // namespace

RanksEnd train_together(const TogetherRequest& request) {
  const RankFolder folder(fs::absolute(request.record));
  RankProcesses processes;
  processes.on_line = request.on_line;
  processes.places = request.places;
  const std::vector<int> cpus = inherited_cpus();
  for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
    processes.commands.push_back(command_of(request, folder, rank));
    processes.cpus.push_back(cpus_of_rank(cpus, rank, request.ranks));
  }
  RanksEnd end = run_ranks(processes);
  if (end.failure || end.interrupted_by != 0) return end;
  std::vector<RunRecord> records;
  for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
    const fs::path file = folder.record_of(rank);
    records.push_back(run_record_from_text(read_text_file(file, ErrorKind::measure), file.string()));
  }
  write_file_atomically(request.record, to_text(merged_ranks(records)));
  return end;
}

}  // namespace stepgate
