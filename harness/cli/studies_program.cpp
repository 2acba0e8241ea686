#include "cli/studies_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/text/shell_quoted.h"
#include "experiment/own_place.h"
#include "experiment/plan/build_folder.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr const char* studies_name = "stepgate-studies";

std::string how_to_get_studies(const OwnPlace& place) {
  const std::string root = shell_quoted(path_from_here(place.root).string());
  switch (place.kind) {
    case OwnPlaceKind::build_folder:
      return fmt::format("build it: cmake --build {} --target stepgate_studies", root);
    case OwnPlaceKind::bundle:
      return "make the bundle anew: ci/bundle BUILD OUT_DIR";
    case OwnPlaceKind::prefix:
      return fmt::format("install stepgate again: cmake --install BUILD --prefix {}", root);
  }
  return "";
}

/// A build of the gate leaves an older stepgate-studies as it is. The build links it anew where the launcher is newer.
bool is_outdated(const fs::path& program, const fs::path& launcher) {
  std::error_code unreadable;
  return fs::last_write_time(program, unreadable) < fs::last_write_time(launcher, unreadable) && !unreadable;
}

/// The words as they were typed, the program first.
std::vector<std::string> words_of_this_call() {
  std::istringstream text(read_text_file("/proc/self/cmdline"));
  std::vector<std::string> words;
  for (std::string word; std::getline(text, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace

fs::path launcher_of(const fs::path& running) {
  return running.filename() == studies_name ? running.parent_path() / "stepgate" : running;
}

fs::path studies_beside(const fs::path& launcher) {
  const fs::path program = launcher.parent_path() / studies_name;
  const OwnPlace place = own_place(launcher);
  if (::access(program.c_str(), X_OK) != 0) {
    throw Error(ErrorKind::usage,
                fmt::format("this is part of {}, which is not there: the gate is built without it", studies_name),
                how_to_get_studies(place));
  }
  std::error_code ignored;
  if (fs::equivalent(program, launcher, ignored)) {  // it would start itself for ever
    throw Error(ErrorKind::usage,
                fmt::format("this is part of {}, and the one here is the launcher itself", studies_name),
                how_to_get_studies(place));
  }
  if (place.kind == OwnPlaceKind::build_folder && is_outdated(program, launcher)) {
    throw Error(ErrorKind::usage, fmt::format("this is part of {}, which is of an older build", studies_name),
                how_to_get_studies(place));
  }
  return program;
}

void continue_in_studies() {
  const fs::path program = studies_beside(fs::read_symlink("/proc/self/exe"));
  std::vector<std::string> words = words_of_this_call();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  const int failure = errno;
  throw Error(ErrorKind::measure, fmt::format("cannot start {}: {}", program.string(), std::strerror(failure)),
              how_to_get_studies(own_place(program)));
}

}  // namespace stepgate
