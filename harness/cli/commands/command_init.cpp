#include <fmt/format.h>

#include "cli/command_texts.h"
#include "cli/commands/commands.h"
#include "cli/output.h"
#include "core/error.h"
#include "experiment/new_project.h"
#include "experiment/plan/build_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The folder that this program was installed into; empty where it runs from its build folder.
fs::path installed_prefix(const fs::path& program) {
  const fs::path prefix = program.parent_path().parent_path();
  for (const char* library : {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"}) {
    std::error_code missing;
    if (fs::exists(prefix / library / "cmake/stepgate/stepgate-config.cmake", missing)) return prefix;
  }
  return {};
}

void print_next_commands(const fs::path& folder) {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  fs::path prefix = installed_prefix(program);
  print_line(stdout, "\nnext:");
  if (prefix.empty()) {
    prefix = fs::path(fs::absolute(folder)).lexically_normal().parent_path() / "stepgate-installed";
    print_line(stdout, "  cmake --install {} --prefix {}", shell_quoted(program.parent_path().parent_path().string()),
               shell_quoted(prefix.string()));
  }
  if (path_from_here(folder) != ".") print_line(stdout, "  cd {}", shell_quoted(path_from_here(folder).string()));
  print_line(stdout, "  cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH={}", shell_quoted(prefix.string()));
  print_line(stdout, "  cmake --build build");
  print_line(stdout, "  ctest --test-dir build -L perf   # Skipped: no baseline yet");
  print_line(stdout, "  {} baseline accept --reason \"first baseline\"", own_command());
  print_line(stdout, "\nanother LibTorch than stepgate's own: -DCMAKE_PREFIX_PATH='{};/path/to/libtorch'",
             prefix.string());
}

}  // namespace

int command_init(const Options& options) {
  if (options.arguments.size() > 1) {
    throw Error(ErrorKind::usage, fmt::format("init takes one folder, found {}", options.arguments.size()),
                "stepgate init DIR");
  }
  const fs::path folder = options.arguments.empty() ? "." : options.arguments.front();
  const NewProject made = write_new_project(folder, options.own_loop ? ProjectKind::own_loop : ProjectKind::workload);
  for (const fs::path& file : made.written) print_line(stdout, "wrote {}", (folder / file).lexically_normal().string());
  for (const fs::path& file : made.unchanged)
    print_line(stdout, "unchanged: {}", (folder / file).lexically_normal().string());
  print_next_commands(folder);
  return 0;
}

}  // namespace stepgate
