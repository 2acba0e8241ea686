#include "cli/studies/command_profile.h"

#include <algorithm>
#include <system_error>

#include "cli/options/groups/cases.h"
#include "cli/options/groups/pairs.h"
#include "cli/options/groups/places.h"
#include "cli/options/groups/repeated_options.h"
#include "cli/options/schedule_option.h"
#include "cli/output.h"
#include "cli/publish_page.h"
#include "cli/studies/views/difference_view.h"
#include "cli/studies/views/profile_view.h"
#include "cli/studies/views/trace_view.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "json/studies/profile_json.h"
#include "report/profile/folded_stacks.h"
#include "report/profile/profile_markdown.h"
#include "report/profile/roofline_plot.h"
#include "report/study_pages/study_pages.h"
#include "system/files/file.h"
#include "system/files/files_together.h"
#include "system/files/trace_cycles.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// All but profile.json, which names them.
std::vector<NamedText> files_of(const ProfileResult& result, const OperatorView& view) {
  std::vector<const ObservedWork*> observed;
  for (const ObservedWork& one : result.observed) observed.push_back(&one);
  std::vector<NamedText> files = {{"profile.md", render_profile_markdown(result.profile, view)}};
  const std::string roofline = render_roofline(result.profile);
  if (!roofline.empty()) files.push_back({"roofline.svg", roofline});
  if (!observed.empty()) files.push_back({"stacks.folded", folded_stacks(observed)});
  return files;
}

std::string trace_name(std::int64_t cycle) { return trace_file_of_cycle("trace.json.gz", cycle).string(); }

/// Files of an earlier profile would be taken for those of this one.
void remove_older_files(const fs::path& folder, const std::vector<NamedText>& files) {
  std::error_code missing;
  for (const char* name : {"profile.json", "profile.md", "roofline.svg", "stacks.folded"}) {
    if (std::ranges::find(files, name, &NamedText::name) == files.end()) fs::remove(folder / name, missing);
  }
  for (std::int64_t cycle = 0; fs::remove(folder / trace_name(cycle), missing); ++cycle) {
  }
}

/// A profile that does not fit on the disk leaves the one before.
void store(const fs::path& folder, const ProfileResult& result, std::vector<NamedText> files) {
  files.insert(files.begin(), {"profile.json", to_text(result.profile)});
  write_files_together(folder, files);
  remove_older_files(folder, files);
  for (std::int64_t cycle = 0; cycle < std::ssize(result.traces); ++cycle) {
    move_file(result.traces[static_cast<std::size_t>(cycle)], folder / trace_name(cycle));
  }
}

void need_single_build(const ProfileCommand& o) {
  if (o.base_build.empty()) return;
  throw Error(ErrorKind::usage,
              "profile --base-build compares the operators of two builds, and --param, --phase, --prove, --replicates, "
              "--schedule, --sort, --by, --rows, --checklist, --smoke and --trace have no effect on that",
              "leave them out; or profile one build: leave out --base-build, and unset STEPGATE_BASE_BUILD");
}

void need_no_trace(const ProfileCommand& o) {
  if (o.trace.empty()) return;
  throw Error(ErrorKind::usage,
              "--trace says where the time of a trace goes; --param, --sort, --by, --rows, --checklist and --smoke "
              "are about the profile of a case",
              "leave them out; or profile a case: stepgate profile CASE");
}

void need_no_case(const ProfileCommand& o) {
  if (o.arguments.empty()) return;
  throw Error(ErrorKind::usage, "--trace reads a file and measures nothing, and a case was named",
              "leave out the case: stepgate profile --trace FILE; or leave out --trace");
}

/// Of an emulated GPU one process counts one case.
void need_one_case_on_device(const ProfileCommand& o) {
  refuse_emulated_clocks(o.machine.quiet.guard);
  if (!o.trace.empty())
    throw Error(ErrorKind::usage, "--trace reads a file, and --device runs a case", "leave out one of them");
  if (o.base_build.empty()) return;
  throw Error(ErrorKind::usage, "--device emulated has no times, and profile --base-build compares those of operators",
              "compare counts: stepgate ab --tier exact --device emulated:MODEL CASE --base-build DIR");
}

void need_times(const ProfileCommand& o) {
  if (!o.device) return;
  throw Error(ErrorKind::usage,
              "--device emulated has no times, and --prove and --schedule are about processes that are timed",
              "leave them out: one process counts the operators");
}

MeasureOptions profiled_measure(const ProfileCommand& o) {
  MeasureOptions measure = measure_options(o.measuring);
  measure.timed_replicates = o.replicates;
  return measure;
}

ProfileOptions profile_options(const ProfileCommand& o) {
  return {.case_name = one_case(o.arguments, "profile", "stepgate profile CASE; stepgate list names them"),
          .phase = o.phase,
          .proving = o.prove,
          .trace_schedule = o.schedule == "none" ? "" : o.schedule,
          .params = o.params,
          .measure = profiled_measure(o),
          .host = host_options(o.machine)};
}

RepeatedOptions repeated_by(const ProfileCommand& o) {
  RepeatedOptions repeated = repeated_options(o.places, o.measuring);
  repeated.base_build = o.base_build;
  repeated.replicates = o.replicates;
  return repeated;
}

OptionRows question_rows(ProfileCommand& o) {
  return joined(
      {{{Topic::profile, "param", "NAME=VALUE", "",
         "value of a parameter of the case, instead of its default; may be repeated",
         named_values_into(o.params, "NAME=VALUE, each name once, e.g. batch_size=64")},
        {Topic::profile, "phase", "baseline|kind|component|operator", "",
         "last phase; the ones before it always run (default operator: all)",
         choice_into(o.phase, "baseline|kind|component|operator", profile_phase_named)},
        {Topic::profile, "prove", "auto|off|all", "",
         "experiments: with four to eight processes (auto, the default), none, or up to 16 until all are decided",
         choice_into(o.prove, "auto|off|all", proving_named)},
        {Topic::profile,
         "schedule",
         "skip=3,...",
         "",
         "steps of the chrome trace, a file for each repeat (default skip=3,wait=0,warmup=2,active=5,repeat=1); "
         "none: no trace",
         text_into(o.schedule, "steps by name, e.g. skip=3,warmup=2,active=5"),
         {[&o] { need_known_schedule(o.schedule); }}}},
       operator_rows(o.table),
       {trace_row(o.trace)},
       list_rows(o.table)});
}

}  // namespace

ProfileDifferenceOptions difference_options(const ProfileCommand& o) {
  return {
      .case_name = one_case(o.arguments, "profile", "stepgate profile CASE --base-build DIR; stepgate list names them"),
      .measure = profiled_measure(o),
      .host = host_options(o.machine),
      .pairs = {.base_build = o.base_build, .order_seed = o.order_seed, .explain = true}};
}

OptionRows rows_of(ProfileCommand& o) {
  OptionRows rows =
      joined({{build_row(o.places.build), base_build_row(o.base_build), head_build_row(o.places.build),
               out_row(o.places.out), policy_dir_row(o.places.policy_root), data_row(o.places.data_dir),
               runner_class_row(o.places.runner_class), replicates_row(o.replicates), device_row(o.device)},
              rows_of(o.measuring),
              rows_of(o.machine),
              {order_seed_row(o.order_seed)},
              question_rows(o),
              rows_of(o.output)});
  add_need(rows, {"checklist", "smoke"}, [&o] { need_page_of_lists(o.output.json); });
  add_need(rows, {"param", "sort", "by", "rows", "checklist", "smoke"}, [&o] { need_no_trace(o); });
  add_need(rows, {"trace"}, [&o] { need_no_case(o); });
  add_need(rows,
           {"param", "replicates", "phase", "prove", "schedule", "sort", "by", "rows", "trace", "checklist", "smoke"},
           [&o] { need_single_build(o); });
  add_need(rows, {"device"}, [&o] { need_one_case_on_device(o); });
  add_need(rows, {"prove", "schedule"}, [&o] { need_times(o); });
  add_need(rows, {"order-seed"}, [&o] { need_second_build(o.base_build, "profile"); });
  add_need(rows, {"html"}, [&o] {
    if (!o.trace.empty() || !o.base_build.empty()) refuse_page();
  });
  return rows;
}

int command_profile(const ProfileCommand& o) {
  if (!o.trace.empty()) return show_trace(o.trace, o.output);
  ProjectOptions from = project_options(o.places);
  from.device = o.device;
  const Project project = read_project(from);
  if (!o.base_build.empty()) {
    const ProfileDifferenceOptions asked = difference_options(o);
    return show_difference(project, asked, terminal_caller(o.output.quiet, repeated_by(o), project), o.output);
  }
  const ProfileOptions asked = profile_options(o);
  const Caller caller = terminal_caller(o.output.quiet, repeated_by(o), project);
  ProfileResult result = run_profile(project, asked, caller);
  clear_progress_line(o.output.quiet);
  const fs::path folder = profile_folder(project, asked.case_name);
  const auto files = files_of(result, operator_view(o.table));
  result.profile.files = {"profile.json"};
  for (const NamedText& file : files) result.profile.files.push_back(file.name);
  for (std::int64_t cycle = 0; cycle < std::ssize(result.traces); ++cycle) {
    result.profile.files.push_back(trace_name(cycle));
  }
  print_profile(result.profile, o.table, o.output);  // before the files: a full disk does not take the page away
  store(folder, result, files);
  if (!o.output.html.empty()) write_page(o.output.html, profile_page(result.profile, published_repository()));
  print_message(stderr, (folder / "profile.json").string(), "");
  if (const int number = caller.interrupted; number != 0) return 128 + number;
  return result.profile.stopped.empty() ? 0 : 3;
}

}  // namespace stepgate
