#include "cli/publish.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <random>
#include <system_error>
#include <vector>

#include "cli/exit_error.h"
#include "cli/output.h"
#include "cli/publish_page.h"
#include "core/error.h"
#include "core/interruption.h"
#include "report/ci/github_report.h"
#include "report/ci/junit_report.h"
#include "report/exports/export_formats.h"
#include "report/markdown/markdown_report.h"
#include "system/files/file.h"
#include "system/files/output_file.h"

namespace stepgate {
namespace {

/// Less room than this holds a verdict and a few rows at most: then nothing is appended, and a notice says so.
constexpr std::size_t least_summary_bytes = 2048;

/// What earlier steps wrote there. A pipe or a terminal keeps nothing.
std::string text_so_far(const std::filesystem::path& summary) {
  std::error_code unknown;
  const bool keeps = std::filesystem::is_regular_file(summary, unknown);
  return keeps ? read_text_file(summary) : "";
}

void append_step_summary(const RunReport& report) {
  const char* variable = std::getenv("GITHUB_STEP_SUMMARY");
  if (variable == nullptr || *variable == '\0') {
    print_message(stderr, "--github: GITHUB_STEP_SUMMARY is not set, so no summary was appended", "");
    return;
  }
  std::string text = text_so_far(variable);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  if (text.size() + least_summary_bytes > step_summary_bytes) {
    print_message(stderr, fmt::format("--github: the step summary is full ({} bytes)", text.size()),
                  "see summary.md in the output folder");
    return;
  }
  text += render_markdown(report, {.max_bytes = step_summary_bytes - text.size() - 1});
  write_output_file(variable, text);
}

/// One full disk, or one value that a format refuses, must not take the other outputs along.
class Outputs {
 public:
  template <typename Write>
  void write(const Write& write_one) {
    try {
      write_one();
    } catch (const Error& error) {
      failures_.push_back(error);
    } catch (const Interruption&) {
      throw;
    } catch (const std::exception& failure) {
      failures_.push_back(error_of(failure));
    }
  }

  std::optional<Error> last_failure() const {
    if (failures_.empty()) return std::nullopt;
    for (auto failure = failures_.begin(); failure + 1 != failures_.end(); ++failure)
      print_message(stderr, failure->what(), failure->remedy());
    return failures_.back();
  }

 private:
  std::vector<Error> failures_;
};

}  // namespace

std::optional<Error> write_outputs(const Presentation& how, const RunReport& report, OutputTarget target) {
  const ReportOutput& output = how.output;
  const auto wanted = [target](const std::filesystem::path& path) {
    return !path.empty() && is_standard_stream(path) == (target == OutputTarget::standard_stream);
  };
  Outputs outputs;
  if (wanted(output.markdown)) outputs.write([&] { write_output_file(output.markdown, render_markdown(report, {})); });
  if (wanted(output.junit)) outputs.write([&] { write_output_file(output.junit, render_junit(report, {})); });
  if (wanted(output.html)) outputs.write([&] { publish_page(how, report); });
  for (const std::string& text : output.exports) {
    const ExportRequest request = export_request(text);
    if (!wanted(request.file)) continue;
    outputs.write([&] { write_output_file(request.file, request.format->render(report)); });
  }
  if (output.github && target == OutputTarget::file) outputs.write([&] { append_step_summary(report); });
  return outputs.last_failure();
}

void print_annotations(const ReportOutput& output, const RunReport& report) {
  if (output.github) print_commands(output.json ? stderr : stdout, render_github(report, {}));
}

CommandPause command_pause(const ReportOutput& output) {
  if (!output.github || output.json) return {};
  std::random_device chance;
  const std::string word = fmt::format("{:08x}{:08x}{:08x}{:08x}", chance(), chance(), chance(), chance());
  return {fmt::format("::stop-commands::{}\n", word), fmt::format("::{}::\n", word)};
}

}  // namespace stepgate
