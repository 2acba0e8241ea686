#include "launch/emulated/hazard_run.h"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "environment/cpus/cpu_list.h"
#include "json/records/run_record_json.h"
#include "launch/no_child_left.h"
#include "support/fake_program.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

class HazardRunTest : public NoChildLeft {};

constexpr const char* access_text =
    R"({"work": "kernels", "operator": "aten::add", "writes": true, "device": 0, "stream": 1, "in_graph": false, )"
    R"("place": {"offsets": []}, "for_forward": false})";
constexpr const char* end_text =
    R"({"end": true, "accesses": 9, "kernels": 5, "unknown_kernels": 0, "hazards": 1, "forgotten": 0})";

/// Writes what the process on the emulated GPU would, where its variable says.
constexpr const char* writes_hazards = R"sh(
file=${STEPGATE_EMULATED_GPU#*hazards=}
[ -f "$here/hazards" ] && cp "$here/hazards" "${file%% *}"
good
)sh";

/// A process that is judged looks for none.
const std::string writes_if_asked =
    "echo process >> \"$here/log\"\n"
    "case $STEPGATE_EMULATED_GPU in *hazards=*) ;; *) good; exit 0 ;; esac\n" +
    std::string(writes_hazards);

LaunchRequest watched_request(const FakeProgram& program) {
  program.folder().write("emulated_gpu/libstepgate_emulated_values.so", "");
  LaunchRequest request = program.request({Group::exact});
  request.emulated =
      EmulatedGpu{.device = {"h100", 1}, .folder = program.folder().path() / "emulated_gpu", .settings = {}};
  return request;
}

CpuChoice one_cpu() {
  CpuRequest wanted;
  wanted.allowed = allowed_cpus();
  wanted.cores = 1;
  return choose_cpus(wanted);
}

std::string failure_of(const HazardRun& run) {
  EXPECT_FALSE(run.hazards);
  return run.failed && run.failed->failure ? run.failed->failure->message : "no failure";
}

TEST_F(HazardRunTest, ReadsWhatTheProcessHasFound) {
  const FakeProgram program(writes_hazards);
  program.folder().write("hazards", std::string(R"({"kind": "write after write", "earlier": )") + access_text +
                                        R"(, "later": )" + access_text +
                                        R"(, "bytes": 4, "page_locked": false, "reused": false, "remedy": "wait"})" +
                                        "\n" + end_text + "\n");
  const LaunchRequest request = watched_request(program);
  const HazardRun run = run_for_hazards(request, one_cpu(), nullptr);
  ASSERT_TRUE(run.hazards) << failure_of(run);
  EXPECT_FALSE(run.failed);
  EXPECT_EQ(run.hazards->hazards, 1);
  ASSERT_EQ(run.hazards->found.size(), 1U);
  EXPECT_EQ(run.hazards->found[0].remedy, "wait");
  EXPECT_TRUE(request.emulated->settings.empty()) << "other processes look for none";
  EXPECT_FALSE(std::filesystem::exists(request.out_dir / "hazards" / "exact-00-0.record.json"));
  EXPECT_TRUE(std::filesystem::exists(request.out_dir / "hazards" / "hazards.jsonl"));
}

TEST_F(HazardRunTest, AFileThatIsNotWholeIsAFailure) {
  const FakeProgram program(writes_hazards);
  EXPECT_THAT(failure_of(run_for_hazards(watched_request(program), one_cpu(), nullptr)), HasSubstr("is not whole"));
  program.folder().write("hazards", std::string(end_text));  // without the end of its line
  EXPECT_THAT(failure_of(run_for_hazards(watched_request(program), one_cpu(), nullptr)), HasSubstr("is not whole"));
}

TEST_F(HazardRunTest, ASearchThatSawNothingIsAFailure) {
  const FakeProgram program(writes_hazards);
  program.folder().write(
      "hazards", R"({"end": true, "accesses": 0, "kernels": 0, "unknown_kernels": 0, "hazards": 0, "forgotten": 0})"
                 "\n");
  EXPECT_THAT(failure_of(run_for_hazards(watched_request(program), one_cpu(), nullptr)), HasSubstr("saw no access"));
}

TEST_F(HazardRunTest, EachRankHasToEndItsSearch) {
  const FakeProgram program(std::string(writes_hazards) + "cp \"$here/ranks.json\" \"$record\"\n");
  RunRecord record = valid_record(Group::exact, 0);
  record.fingerprint["ranks"] = "2";
  program.folder().write("ranks.json", to_text(record));
  const std::string saw = std::string(end_text) + "\n";
  const std::string starts_ranks =
      R"({"end": true, "accesses": 0, "kernels": 0, "unknown_kernels": 0, "hazards": 0, "forgotten": 0})"
      "\n";
  program.folder().write("hazards", saw + starts_ranks);
  EXPECT_THAT(failure_of(run_for_hazards(watched_request(program), one_cpu(), nullptr)),
              HasSubstr("1 of 2 processes ended the search for hazards, which had found 1"));
  program.folder().write("hazards", saw + saw + starts_ranks);
  const HazardRun run = run_for_hazards(watched_request(program), one_cpu(), nullptr);
  ASSERT_TRUE(run.hazards) << failure_of(run);
  EXPECT_EQ(run.hazards->accesses, 18);
}

/// A gate that was asked for hazards and started no search would be green.
TEST_F(HazardRunTest, AMeasurementThatIsAskedForHazardsHasThem) {
  const FakeProgram program(writes_if_asked);
  program.folder().write("hazards", std::string(end_text) + "\n");
  LaunchRequest request = watched_request(program);
  request.device = Device::cuda;
  request.knows_need_of_values = true;
  EXPECT_FALSE(measure_case(request, {}).hazards);
  EXPECT_EQ(program.lines_in("log"), 1);
  request.seeks_hazards = true;
  const Measurement measurement = measure_case(request, {});
  ASSERT_TRUE(measurement.hazards);
  EXPECT_EQ(measurement.hazards->accesses, 9);
  ASSERT_EQ(measurement.replicates.size(), 1U) << "the process more is none of those that are judged";
  EXPECT_FALSE(measurement.replicates.front().failure);
  EXPECT_EQ(program.lines_in("log"), 3);
}

TEST_F(HazardRunTest, ASearchThatFailedIsAProcessOfTheMeasurementThatFailed) {
  const FakeProgram program("case $STEPGATE_EMULATED_GPU in *hazards=*) exit 78 ;; esac; good");
  LaunchRequest request = watched_request(program);
  request.device = Device::cuda;
  request.knows_need_of_values = true;
  request.seeks_hazards = true;
  const Measurement measurement = measure_case(request, {});
  EXPECT_FALSE(measurement.hazards);
  ASSERT_EQ(measurement.replicates.size(), 2U);
  EXPECT_FALSE(measurement.replicates.front().failure);
  ASSERT_TRUE(measurement.replicates.back().failure);
  EXPECT_EQ(measurement.replicates.back().group, Group::exact);
  EXPECT_TRUE(counts_as_failed(measurement.replicates.back())) << "else the case would pass without a search";
}

TEST_F(HazardRunTest, NothingIsSearchedAfterAFailureOrAnInterruption) {
  const FakeProgram program(writes_if_asked);
  LaunchRequest request = watched_request(program);
  request.seeks_hazards = true;
  Measurement failed;
  failed.replicates.emplace_back().failure = ReplicateFailure{FailureKind::crashed, "killed by signal 11", ""};
  add_hazards(request, one_cpu(), nullptr, failed);
  const std::atomic<int> interrupted = 2;
  Measurement stopped;
  add_hazards(request, one_cpu(), &interrupted, stopped);
  EXPECT_FALSE(failed.hazards || stopped.hazards);
  EXPECT_EQ(program.lines_in("log"), 0);
}

TEST_F(HazardRunTest, AProcessThatFailsIsAFailure) {
  const FakeProgram program("exit 78");
  const std::string failure = failure_of(run_for_hazards(watched_request(program), one_cpu(), nullptr));
  EXPECT_THAT(failure, HasSubstr("78"));
  EXPECT_THAT(failure, HasSubstr("the process that looks for stream hazards")) << "it has the number of another one";
}

}  // namespace
}  // namespace stepgate
