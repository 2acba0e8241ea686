#include "report/studies/device_check_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "judge/device/device_lines.h"
#include "report/text/clean_text.h"
#include "support/golden.h"
#include "support/sample_device.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

DeviceReport judged_report(DeviceCheckRuns runs) {
  DeviceReport report;
  report.gpu = {{"gpu", "NVIDIA H200"},
                {"gpu_pci_bus_id", "0000:3b:00.0"},
                {"gpu_driver", "580.65.06"},
                {"cuda_runtime", "13.0"}};
  report.lines = judge_device(runs);
  report.runs = std::move(runs);
  return report;
}

TEST(DevicePage, GoldenOfAGoodRunner) {
  const ConsoleStyle page = {.width = 80};
  expect_golden("report/device_good.txt", render_device(judged_report(sample_device_runs()), page));
}

TEST(DevicePage, GoldenOfABadRunner) {
  const ConsoleStyle page = {.width = 80};
  expect_golden("report/device_bad.txt", render_device(judged_report(sample_bad_device_runs()), page));
}

TEST(DevicePage, GoldenWithEveryFigure) {
  const ConsoleStyle page = {.ascii = true, .width = 100, .verbose = true};
  expect_golden("report/device_verbose.txt", render_device(judged_report(sample_bad_device_runs()), page));
}

TEST(DevicePage, FitsItsWidth) {
  for (const int width : {60, 80, 120}) {
    const ConsoleStyle page = {.width = width};
    std::istringstream text(render_device(judged_report(sample_bad_device_runs()), page));
    for (std::string line; std::getline(text, line);) EXPECT_LE(columns(line), static_cast<std::size_t>(width)) << line;
  }
}

DeviceCheckRun refused_check(const std::string& check, const std::string& figure) {
  DeviceCheckRun run{CheckEnd::measured, "", {.check = check}};
  run.figures.absent[figure] = "CUPTI refuses: insufficient privileges";
  return run;
}

TEST(DevicePage, SaysWhatCouldNotBeSeen) {
  DeviceCheckRuns runs = sample_device_runs();
  runs["copy_rate"].figures.values.erase("link_bytes_per_s");
  runs["copy_rate"].figures.absent["link_bytes_per_s"] = "the kernel does not say it";
  const ConsoleStyle page = {.width = 120};
  EXPECT_THAT(render_device(judged_report(runs), page),
              HasSubstr("\nwhat verdicts rest on holds here: exit status 0\n"))
      << "no verdict rests on the copy rate";
  runs["syncs_by_cupti"] = refused_check("syncs_by_cupti", "item_count");
  EXPECT_THAT(render_device(judged_report(runs), page),
              HasSubstr("\nnothing that verdicts rest on fails here; 1 line could not be seen (syncs_by_cupti): exit "
                        "status 0\n"));
  runs["work_by_cupti"] = refused_check("work_by_cupti", "kernels");
  const std::string text = render_device(judged_report(runs), page);
  EXPECT_THAT(text, HasSubstr("2 lines could not be seen (syncs_by_cupti, work_counts): exit status 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("holds here")));
}

TEST(DevicePage, WithoutAGpuSaysWhatIsMissing) {
  DeviceReport report;
  report.missing = "no CUDA device is visible to this process";
  const std::string text = render_device(report, {.width = 80});
  EXPECT_THAT(text, HasSubstr("no GPU     no CUDA device is visible to this process\n"));
  EXPECT_THAT(text, HasSubstr("exit status 77"));
  EXPECT_THAT(text, Not(HasSubstr("exit status 0")));
}

TEST(DevicePage, ColourOnlyRepeatsTheText) {
  const DeviceReport report = judged_report(sample_bad_device_runs());
  std::string bare = render_device(report, {.color = true, .width = 80});
  EXPECT_THAT(bare, HasSubstr("\x1b["));
  for (std::size_t at = bare.find('\x1b'); at != std::string::npos; at = bare.find('\x1b')) {
    bare.erase(at, bare.find('m', at) - at + 1);
  }
  EXPECT_EQ(bare, render_device(report, {.width = 80}));
}

}  // namespace
}  // namespace stepgate
