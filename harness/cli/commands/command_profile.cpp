#include <algorithm>
#include <system_error>

#include "cli/commands/commands.h"
#include "cli/commands/difference_view.h"
#include "cli/commands/profile_view.h"
#include "cli/commands/trace_view.h"
#include "cli/options/experiment_options.h"
#include "cli/output.h"
#include "cli/publish_page.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "json/studies/profile_json.h"
#include "report/profile/folded_stacks.h"
#include "report/profile/profile_markdown.h"
#include "report/profile/roofline_plot.h"
#include "report/study_pages/study_pages.h"
#include "system/file.h"
#include "system/trace_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// A file of the folder and what makes its text; "" where this profile has none.
struct ProfileFile {
  std::string name;
  std::string text;
};

std::vector<ProfileFile> files_of(const ProfileResult& result, const OperatorView& view) {
  std::vector<const ObservedWork*> observed;
  for (const ObservedWork& one : result.observed) observed.push_back(&one);
  std::vector<ProfileFile> files = {{"profile.md", render_profile_markdown(result.profile, view)}};
  if (!result.profile.operators.empty()) files.push_back({"roofline.svg", render_roofline(result.profile)});
  if (!observed.empty()) files.push_back({"stacks.folded", folded_stacks(observed)});
  return files;
}

std::string trace_name(std::int64_t cycle) { return trace_file_of_cycle("trace.json.gz", cycle).string(); }

/// Those of an earlier profile would be taken for those of this one.
void remove_older_files(const fs::path& folder) {
  std::error_code missing;
  for (const char* name : {"profile.json", "profile.md", "roofline.svg", "stacks.folded"}) {
    fs::remove(folder / name, missing);
  }
  for (std::int64_t cycle = 0; fs::remove(folder / trace_name(cycle), missing); ++cycle) {
  }
}

void move_trace(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::rename(from, to, failed);
  if (!failed) return;
  throw Error(ErrorKind::measure, "cannot move the trace to " + to.string() + ": " + failed.message(),
              "it is still " + from.string());
}

void store(const fs::path& folder, const ProfileResult& result, const std::vector<ProfileFile>& files) {
  remove_older_files(folder);
  write_file_atomically(folder / "profile.json", to_text(result.profile));
  for (const ProfileFile& file : files) write_file_atomically(folder / file.name, file.text);
  for (std::int64_t cycle = 0; cycle < std::ssize(result.traces); ++cycle) {
    move_trace(result.traces[static_cast<std::size_t>(cycle)], folder / trace_name(cycle));
  }
}

}  // namespace

int command_profile(const Options& options) {
  if (!options.trace.empty()) return show_trace(options.trace, options);
  const Project project = read_project(project_options(options));
  if (!options.base_build.empty()) return show_difference(options, project);
  const ProfileOptions asked = profile_options(options);
  const Caller caller = terminal_caller(options, project);
  ProfileResult result = run_profile(project, asked, caller);
  clear_progress_line(options);
  const fs::path folder = profile_folder(project, asked.case_name);
  const auto files = files_of(result, operator_view(options));
  result.profile.files = {"profile.json"};
  for (const ProfileFile& file : files) result.profile.files.push_back(file.name);
  for (std::int64_t cycle = 0; cycle < std::ssize(result.traces); ++cycle) {
    result.profile.files.push_back(trace_name(cycle));
  }
  print_profile(options, result.profile);  // before the files: a full disk does not take the page away
  store(folder, result, files);
  if (!options.html.empty()) write_page(options, profile_page(result.profile, published_repository()));
  print_message(stderr, (folder / "profile.json").string(), "");
  if (const int number = caller.interrupted; number != 0) return 128 + number;
  return result.profile.stopped.empty() ? 0 : 3;
}

}  // namespace stepgate
