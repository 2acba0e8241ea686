// A build folder with one case of the fake program, its policy, and everything that an experiment tells about it.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "baseline/accept.h"
#include "baseline/pending.h"
#include "environment/evidence/taint.h"
#include "experiment/host/quiet_host.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"
#include "json/records/run_record_json.h"
#include "json/stored/policy_json.h"
#include "support/fake_program.h"

namespace stepgate {

inline constexpr const char* fake_case = "fake/case/tiny";

/// Shell code: the process that runs when a signal comes does not end by itself.
inline constexpr const char* waits_for_a_signal = R"sh(
[ -e "$here/hold" ] && rm "$here/hold" && sleep 10
)sh";

/// Shell code for FakeProgram: one line per process in $here/log ("head timed 0"), then the record with a step time
/// that differs from process to process by up to 2 %. The side is the folder that the program was copied to.
inline constexpr const char* noisy_process = R"sh(
side=$(basename "$(dirname "$0")")
echo "$side $group $replicate" >> "$here/log"
n=$(wc -l < "$here/log")
wall=$((1000 + n * 7 % 20))
slow() { wall=$((wall * $1 / 100)); }
finish() { sed "s/1000/$wall/" "$here/$group-$replicate.json" > "$record"; }
)sh";

class FakeBuild {
 public:
  explicit FakeBuild(const std::string& body) : program_(waits_for_a_signal + body) {
    write_policy({});
    write_manifest(program_.path());
  }

  /// With limits that no machine reaches.
  void write_policy(Policy policy) const {
    for (const auto& [key, limit] : default_taint_limits()) policy.taint_limits[key] = 1e9;
    program_.folder().write("policies/fake/policy.json", to_text(policy));
  }

  Project project() const {
    Project read = read_project({.build = root(), .out = root() / "out"});
    read.start.unix_s = 1'760'000'000;  // the order of sides is drawn from it
    return read;
  }

  /// A lock of its own: the tests wait for no experiment on this machine.
  HostOptions host() const {
    return {.state_folder = root() / "state", .wait_lock_s = 0, .run_lock = root() / "run.lock"};
  }

  /// Replaces what `good` and `finish` write for one process.
  void write_record(const RunRecord& record) const {
    program_.folder().write(fmt::format("{}-{}.json", name_of(record.group), record.replicate), to_text(record));
  }
  /// The same exact record for every replicate.
  void write_exact_records(RunRecord record) const {
    for (record.replicate = 0; record.replicate < 5; ++record.replicate) write_record(record);
  }

  void accept_pending() const {
    accept({.pending = pending_files(root() / "out"),
            .baseline_root = root() / "baselines",
            .reason = "test",
            .utc = "2026-11-21T10:00:00Z",
            .commit = "abc"});
  }

  /// `more`: text of further keys of the case.
  void write_manifest(const std::filesystem::path& program, const std::string& build_type = "Release",
                      const std::string& more = "") const {
    program_.folder().write("stepgate-manifest.json", fmt::format(R"({{
  "schema": {{"name": "stepgate.manifest", "major": 1, "minor": 0}},
  "build_type": "{}",
  "policy_root": "policies",
  "baseline_root": "baselines",
  "cases": [{{"name": "{}", "suite": "fake", "program": "{}", "device": "cpu"{}}}]
}}
)",
                                                                  build_type, fake_case, program.string(), more));
  }

  std::filesystem::path root() const { return program_.folder().path(); }
  const FakeProgram& program() const { return program_; }
  std::int64_t processes() const { return program_.lines_in("log"); }

 private:
  FakeProgram program_;
};

/// Keeps what it is told. May send a signal's number while the process of an index runs.
class Listener {
 public:
  Listener() {
    caller_.observer.on_progress = [this](const ProcessProgress& progress) { progress_.push_back(progress); };
    caller_.observer.on_notice = [this](const Notice& notice) { notices_.push_back(notice); };
  }
  Listener(const FakeBuild& build, std::int64_t interrupted_process) : Listener() {
    caller_.observer.on_progress = [this, &build, interrupted_process](const ProcessProgress& progress) {
      if (std::ssize(progress_) == interrupted_process) {
        build.program().folder().write("hold", "");
        interrupted_ = 2;
      }
      progress_.push_back(progress);
    };
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const Caller& caller() const { return caller_; }
  Caller& caller() { return caller_; }
  const std::vector<ProcessProgress>& progress() const { return progress_; }
  std::string notices() const {
    std::string all;
    for (const Notice& notice : notices_) all += notice.text + "\n";
    return all;
  }

 private:
  std::atomic<int> interrupted_{0};
  std::vector<ProcessProgress> progress_;
  std::vector<Notice> notices_;
  Caller caller_{.observer = {}, .commands = {}, .interrupted = interrupted_};
};

}  // namespace stepgate
