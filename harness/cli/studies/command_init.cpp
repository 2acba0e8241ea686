#include "cli/studies/command_init.h"

#include <fmt/format.h>

#include "cli/command_texts.h"
#include "cli/output.h"
#include "core/error.h"
#include "experiment/own_place.h"
#include "experiment/plan/build_folder.h"
#include "experiment/studies/new_project.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The place that a project can be built with: that of this program, or the one that its build folder installs.
OwnPlace place_for_projects() {
  std::error_code failed;
  OwnPlace place = own_place(fs::read_symlink("/proc/self/exe", failed));
  constexpr const char* install =
      "cmake --install BUILD --prefix DIR, with the build folder of stepgate; then DIR/bin/stepgate init";
  if (place.kind == OwnPlaceKind::bundle) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is a bundle: it measures, and no project can be built with it", place.root.string()),
                install);
  }
  if (place.kind == OwnPlaceKind::build_folder) return place;
  const fs::path missing = missing_in_prefix(place.root);
  if (missing.empty()) return place;
  throw Error(
      ErrorKind::usage,
      fmt::format("{} is not a whole installation of stepgate, so no project can be built with it: there is no {}",
                  place.root.string(), missing.string()),
      install);
}

void print_next_commands(const fs::path& folder, const OwnPlace& place, ProjectKind kind) {
  fs::path prefix = place.root;
  print_line(stdout, "\nnext:");
  if (place.kind == OwnPlaceKind::build_folder) {
    prefix = fs::path(fs::absolute(folder)).lexically_normal().parent_path() / "stepgate-installed";
    print_line(stdout, "  cmake --install {} --prefix {}", shell_quoted(place.root.string()),
               shell_quoted(prefix.string()));
  }
  if (path_from_here(folder) != ".") print_line(stdout, "  cd {}", shell_quoted(path_from_here(folder).string()));
  print_line(stdout, "  cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH={}", shell_quoted(prefix.string()));
  print_line(stdout, "  cmake --build build");
  print_line(stdout, "  ctest --test-dir build -L perf   # Skipped: no baseline yet");
  print_line(stdout, "  {} baseline accept --reason \"first baseline\"", own_command());
  if (kind == ProjectKind::gpu)
    print_line(stdout, "  {} baseline accept --runner-class emulated-h100 --reason \"first baseline\"", own_command());
  print_line(stdout, "\nanother LibTorch than stepgate's own: -DCMAKE_PREFIX_PATH='{};/path/to/libtorch'",
             prefix.string());
}

ProjectKind kind_asked_for(const InitCommand& o) {
  if (o.gpu && (o.own_loop || o.inference)) {
    throw Error(ErrorKind::usage,
                fmt::format("--gpu and {} do not go together", o.own_loop ? "--own-loop" : "--inference"),
                "give one of them; docs/emulated_gpu.md has the lines for a case of its own");
  }
  if (o.gpu) return ProjectKind::gpu;
  if (o.own_loop && o.inference) {
    throw Error(ErrorKind::usage, "--own-loop and --inference do not go together",
                "give one of them; docs/inference.md shows a loop of its own that answers requests");
  }
  if (o.inference) return ProjectKind::inference;
  return o.own_loop ? ProjectKind::own_loop : ProjectKind::workload;
}

}  // namespace

OptionRows rows_of(InitCommand& o) {
  return {{Topic::output, "own-loop", "", "",
           "a project around a training loop with marks, instead of a workload class", switch_on(o.own_loop)},
          {Topic::output, "inference", "", "",
           "a project with a case that answers requests, instead of one that trains", switch_on(o.inference)},
          {Topic::output, "gpu", "", "",
           "a project with a case for a GPU too, gated on an emulated one where there is none", switch_on(o.gpu)}};
}

int command_init(const InitCommand& o) {
  if (o.arguments.size() > 1) {
    throw Error(ErrorKind::usage, fmt::format("init takes one folder, found {}", o.arguments.size()),
                "stepgate init DIR");
  }
  const fs::path folder = o.arguments.empty() ? "." : o.arguments.front();
  const OwnPlace place = place_for_projects();
  const ProjectKind kind = kind_asked_for(o);
  const NewProject made = write_new_project(folder, kind);
  for (const fs::path& file : made.written) print_line(stdout, "wrote {}", (folder / file).lexically_normal().string());
  for (const fs::path& file : made.unchanged)
    print_line(stdout, "unchanged: {}", (folder / file).lexically_normal().string());
  print_next_commands(folder, place, kind);
  return 0;
}

}  // namespace stepgate
