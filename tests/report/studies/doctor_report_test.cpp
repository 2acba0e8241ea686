#include "report/studies/doctor_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/text/next_steps.h"
#include "support/golden.h"
#include "support/sample_doctor.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

const ConsoleStyle plain_page = {.color = false, .ascii = false, .width = 100, .verbose = false};

TEST(DoctorReport, GoldenOfALaptop) {
  expect_golden("report/doctor_laptop.txt", render_doctor(sample_laptop(), plain_page));
}

TEST(DoctorReport, GoldenOfAContainer) {
  expect_golden("report/doctor_container.txt", render_doctor(sample_container(), plain_page));
}

TEST(DoctorReport, GoldenOfACloudMachine) {
  expect_golden("report/doctor_cloud.txt", render_doctor(sample_cloud_machine(), plain_page));
}

TEST(DoctorReport, GoldenOfAHostWithAGpu) {
  expect_golden("report/doctor_gpu_host.txt", render_doctor(sample_gpu_host(), plain_page));
}

TEST(DoctorReport, GoldenOfALogThatManglesUtf8) {
  const ConsoleStyle narrow = {.color = false, .ascii = true, .width = 72, .verbose = true};
  expect_golden("report/doctor_ascii.txt", render_doctor(sample_laptop(), narrow));
}

TEST(DoctorReport, ColourOnlyRepeatsTheText) {
  ConsoleStyle colored = plain_page;
  colored.color = true;
  const std::string text = render_doctor(sample_gpu_host(), colored);
  EXPECT_THAT(text, HasSubstr("\x1b[32m✓\x1b[0m governor"));
  std::string bare = text;
  for (std::size_t at = bare.find('\x1b'); at != std::string::npos; at = bare.find('\x1b')) {
    bare.erase(at, bare.find('m', at) - at + 1);
  }
  EXPECT_EQ(bare, render_doctor(sample_gpu_host(), plain_page));
}

TEST(DoctorReport, NothingKnownIsStillAPage) {
  const std::string text = render_doctor(DoctorReport{}, plain_page);
  EXPECT_THAT(text, HasSubstr("bare-metal host\n"));
  EXPECT_THAT(text, HasSubstr("  next       nothing more can be set here"));
  EXPECT_THAT(text, Not(HasSubstr("evidence")));
  EXPECT_THAT(text, Not(HasSubstr("settings")));
}

TEST(DoctorReport, ListsWhatRunsNow) {
  DoctorReport report = sample_laptop();
  EXPECT_THAT(render_doctor(report, plain_page), Not(HasSubstr("running now"))) << "nobody looked";
  report.looked_s = 1.02;
  EXPECT_THAT(render_doctor(report, plain_page), HasSubstr("running now: what used a CPU for 1 s\n  quiet "));
  report.busy = {{.pid = 4711, .name = "cc1plus", .cpu_fraction = 0.86, .cpu = 2, .on_measured = true},
                 {.pid = 12, .name = "sshd", .cpu_fraction = 0.03, .cpu = 0}};
  const std::string text = render_doctor(report, plain_page);
  EXPECT_THAT(text, HasSubstr("disturbs   cc1plus (pid 4711): 86 % of a CPU, last on CPU 2, which is measured"));
  EXPECT_THAT(text, HasSubstr("beside     sshd (pid 12): 3 % of a CPU, last on CPU 0\n"));
}

TEST(DoctorReport, HostileTextCannotActOnTheTerminal) {
  DoctorReport report = sample_laptop();
  report.knobs[0].name = "aff\x1b[31m";
  report.knobs[1].remedy = "rm\x1b[2J";
  report.settings[1].value = "2\x1b]0;title\a";
  EXPECT_THAT(render_doctor(report, plain_page), Not(HasSubstr("\x1b")));
}

TEST(NextSteps, AreThreeAtMost) {
  DoctorReport report = sample_cloud_machine();
  report.stale_journal = true;
  const auto steps = next_steps(report);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].command, "stepgate recover") << "before anything else is set";
  EXPECT_EQ(steps[1].command, "stepgate gate CASE --guard host");
  EXPECT_EQ(steps[1].text, "set interrupts for the length of a run, restored afterwards:");
}

TEST(NextSteps, NameWhatModeHostSetsByItself) {
  const auto steps = next_steps(sample_gpu_host());
  EXPECT_EQ(steps[1].text, "set partition, turbo and interrupts for the length of a run, restored afterwards:")
      << "the GPU's clock needs an option of its own";
}

TEST(NextSteps, PointToTheRemediesWhenNothingCanBeSet) {
  EXPECT_THAT(next_steps(sample_laptop())[0].text, HasSubstr("see the remedy below"));
  EXPECT_THAT(next_steps(sample_container())[1].text, HasSubstr("outside the container"));
}

}  // namespace
}  // namespace stepgate
