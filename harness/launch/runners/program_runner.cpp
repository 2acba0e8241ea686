#include "launch/runners/program_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "launch/runners/engine_call.h"

namespace stepgate {
namespace {

Error failed_call(const std::filesystem::path& program, const std::string& what) {
  return {ErrorKind::measure, fmt::format("{} {}", program.string(), what),
          "its protocol: docs/many_machines.md, \"Another engine\""};
}

NodeJobState engine_state(const std::string& word) {
  if (word == "waiting") return NodeJobState::waiting;
  return word == "running" ? NodeJobState::running : NodeJobState::ended;
}

std::vector<std::string> call_of(const std::filesystem::path& program, const char* verb,
                                 const std::vector<std::string>& words) {
  std::vector<std::string> command = {program.string(), verb};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

}  // namespace

std::vector<std::string> ProgramRunner::submit(const NodeSubmission& submission) {
  std::vector<std::string> words = {submission.plan.string(), comma_list(submission.shards),
                                    std::to_string(submission.attempt)};
  words.insert(words.end(), submission.options.begin(), submission.options.end());
  const auto ids = engine_lines(call_of(program_, "submit", words));
  if (!ids) throw failed_call(program_, "submit failed");
  if (ids->size() == submission.shards.size()) return *ids;
  if (!ids->empty()) cancel(*ids);
  throw failed_call(program_,
                    fmt::format("submit printed {} job ids for {} shards", ids->size(), submission.shards.size()));
}

std::vector<NodeJob> ProgramRunner::poll(const std::vector<std::string>& ids) {
  const auto lines = engine_lines(call_of(program_, "poll", ids));
  failed_polls_ = lines ? 0 : failed_polls_ + 1;
  if (failed_polls_ >= most_failed_polls) {
    throw failed_call(program_, fmt::format("poll failed {} times in a row", failed_polls_));
  }
  std::vector<NodeJob> jobs;
  for (const std::string& id : ids) jobs.push_back({id, lines ? NodeJobState::ended : NodeJobState::running, ""});
  if (!lines) return jobs;
  for (const std::string& line : *lines) {
    std::istringstream words(line);
    std::string id, state, node;
    words >> id >> state >> node;
    const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const NodeJob& one) { return one.id == id; });
    if (job != jobs.end()) *job = {id, engine_state(state), node};
  }
  return jobs;
}

void ProgramRunner::cancel(const std::vector<std::string>& ids) { engine_lines(call_of(program_, "cancel", ids)); }

}  // namespace stepgate
