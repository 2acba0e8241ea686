#include "experiment/nodes/plan/plan_folder.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "core/error.h"
#include "json/stored/shard_plan_json.h"
#include "json/text/read_back.h"
#include "system/files/file.h"
#include "system/files/first_file.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// All files that belong to one plan and would be wrong beside another.
constexpr const char* parts_of_plan[] = {"plan.json", "shards",  "pairs", "rounds", "control",
                                         "exact",     "decided", "lost",  "ended"};

std::string digest_of(const std::string& text) {
  FnvHash hash;
  hash.add(text);
  return hex_text(hash);
}

std::string attempt_name(std::int64_t shard, std::int64_t attempt) { return fmt::format("{:02}.{}", shard, attempt); }

fs::path result_path(const OpenedPlan& opened, const NodeResult& result) {
  const std::string indexed = fmt::format("{:03}.{}.json", result.index, result.attempt);
  switch (result.kind) {
    case NodeResultKind::control:
      return opened.folder / "control" / attempt_name(result.shard, result.attempt) /
             fmt::format("{:03}.json", result.index);
    case NodeResultKind::exact:
      return opened.folder / "exact" / result.case_name / indexed;
    case NodeResultKind::round:
      return opened.folder / "rounds" / result.case_name / indexed;
    case NodeResultKind::pair:
      break;
  }
  return opened.folder / "pairs" / result.case_name / indexed;
}

fs::path work_path(const OpenedPlan& opened, std::int64_t shard, std::int64_t attempt) {
  return opened.folder / "shards" / (attempt_name(shard, attempt) + ".json");
}

fs::path ended_path(const OpenedPlan& opened, std::int64_t shard, std::int64_t attempt) {
  return opened.folder / "ended" / attempt_name(shard, attempt);
}

fs::path lost_path(const OpenedPlan& opened, const std::string& case_name, std::int64_t index) {
  return opened.folder / "lost" / case_name / fmt::format("{:03}", index);
}

}  // namespace

OpenedPlan open_plan(const fs::path& folder) {
  const fs::path file = folder / "plan.json";
  const auto text = read_text_file_if_present(file);
  if (!text) {
    throw Error(ErrorKind::usage, fmt::format("there is no plan in {}", folder.string()),
                "make one: stepgate plan ab CASE --base-build DIR --shards N --out PLAN, or stepgate plan sweep");
  }
  return {fs::absolute(folder).lexically_normal(), shard_plan_from_text(*text, file.string()), digest_of(*text)};
}

OpenedPlan begin_shard_plan(const fs::path& folder, const ShardPlan& plan) {
  for (const char* part : parts_of_plan) fs::remove_all(folder / part);
  const fs::path file = folder / "plan.json";
  const std::string text = text_that_reads_back(plan, file.string(), shard_plan_from_text);
  write_file_atomically(file, text);
  return {fs::absolute(folder).lexically_normal(), plan, digest_of(text)};
}

bool hand_back(const OpenedPlan& opened, const NodeResult& result) {
  const fs::path file = result_path(opened, result);
  return write_first_file(file, text_that_reads_back(result, file.string(), node_result_from_text));
}

ShardWork work_of(const OpenedPlan& opened, std::int64_t shard, std::int64_t attempt) {
  if (shard < 1 || shard > opened.plan.shards) {
    throw Error(ErrorKind::usage, fmt::format("the plan has no shard {}", shard),
                fmt::format("give a number from 1 to {}", opened.plan.shards));
  }
  const fs::path file = work_path(opened, shard, attempt);
  const auto text = read_text_file_if_present(file);
  ShardWork work = text ? shard_work_from_text(*text, file.string()) : share_of(opened.plan, shard);
  if (!text) work.attempt = attempt;
  if (work.shard == shard && work.attempt == attempt) return work;
  throw Error(ErrorKind::measure,
              fmt::format("{}: it is the share of shard {}, attempt {}", file.string(), work.shard, work.attempt),
              "make the plan again: stepgate plan");
}

void write_work(const OpenedPlan& opened, const ShardWork& work) {
  write_first_file(work_path(opened, work.shard, work.attempt), to_text(work));
}

std::int64_t next_attempt(const OpenedPlan& opened, std::int64_t shard) {
  std::int64_t attempt = 0;
  while (fs::exists(work_path(opened, shard, attempt)) || fs::exists(ended_path(opened, shard, attempt))) ++attempt;
  return attempt;
}

std::optional<std::string> last_word(const OpenedPlan& opened, std::int64_t shard, std::int64_t attempt) {
  return read_text_file_if_present(ended_path(opened, shard, attempt));
}

void say_last_word(const OpenedPlan& opened, const ShardWork& work, const std::string& word) {
  write_first_file(ended_path(opened, work.shard, work.attempt), word);
}

std::optional<std::int64_t> decided_end(const OpenedPlan& opened, const std::string& case_name) {
  const auto text = read_text_file_if_present(opened.folder / "decided" / case_name);
  if (!text) return std::nullopt;
  std::int64_t end = 0;
  const char* const last = text->data() + text->size();
  const auto [after, error] = std::from_chars(text->data(), last, end);
  if (error == std::errc() && end > 0 && std::string_view(after, last) == "\n") return end;
  const fs::path file = opened.folder / "decided" / case_name;
  throw Error(ErrorKind::measure, fmt::format("{}: expected the number of a pair, from 1", file.string()),
              "remove the file: the case is decided again from its pairs");
}

void write_decided_end(const OpenedPlan& opened, const std::string& case_name, std::int64_t end) {
  write_first_file(opened.folder / "decided" / case_name, fmt::format("{}\n", end));
}

bool is_lost(const OpenedPlan& opened, const std::string& case_name, std::int64_t index) {
  return fs::exists(lost_path(opened, case_name, index));
}

void write_lost(const OpenedPlan& opened, const std::string& case_name, std::int64_t index) {
  write_first_file(lost_path(opened, case_name, index), "no attempt is left\n");
}

}  // namespace stepgate
