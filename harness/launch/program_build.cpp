#include "launch/program_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <optional>
#include <set>
#include <system_error>

#include "core/error.h"
#include "system/elf/elf_libraries.h"
#include "system/files/file.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr const char* search_variable = "LD_LIBRARY_PATH";

/// A name that no build makes by itself.
constexpr const char* library_folder_name = "stepgate-libraries";

/// It may lie in the build tree, and is gigabytes.
bool is_libtorch(const fs::path& library) {
  const std::string name = library.filename().string();
  return (name.starts_with("libtorch") || name.starts_with("libc10")) &&
         fs::exists(library.parent_path() / "libc10.so");
}

std::optional<fs::path> found_in(const std::vector<std::string>& folders, const std::string& name) {
  std::error_code missing;
  for (const std::string& folder : folders) {
    if (fs::path file = fs::path(folder) / name; fs::is_regular_file(file, missing)) return file;
  }
  return std::nullopt;
}

/// The libraries of one build tree, in the order in which the loader meets them.
class LibrarySearch {
 public:
  explicit LibrarySearch(const fs::path& build_tree) : build_tree_(fs::weakly_canonical(build_tree)) {
    if (const char* list = std::getenv(search_variable)) from_variable_ = folders_in(list);
  }

  std::vector<fs::path> libraries_of(const fs::path& program) {
    open_.push_back({fs::weakly_canonical(program), {}});
    for (; !open_.empty(); open_.pop_front()) look(open_.front());
    std::sort(found_.begin(), found_.end(),
              [](const fs::path& a, const fs::path& b) { return a.filename() < b.filename(); });
    return std::move(found_);
  }

 private:
  struct Object {
    fs::path file;
    std::vector<std::string> rpath;  ///< those of the objects that asked for it
  };

  void look(const Object& object) {
    const ElfLibraries asked = read_elf_libraries(object.file);
    const bool uses_runpath = !asked.runpath.empty();
    std::vector<std::string> rpath = uses_runpath ? std::vector<std::string>{} : asked.rpath;
    rpath.insert(rpath.end(), object.rpath.begin(), object.rpath.end());
    for (const std::string& name : asked.needed) {
      if (!seen_.insert(name).second) continue;
      const bool has_path = name.find('/') != std::string::npos;
      std::optional<fs::path> file = has_path ? std::optional<fs::path>(name) : std::nullopt;
      if (!file && !uses_runpath) file = found_in(rpath, name);
      const bool is_fixed = file.has_value();
      if (!file) file = found_in(from_variable_, name);
      if (!file) file = found_in(asked.runpath, name);
      if (!file || !is_of_build(*file)) continue;
      if (is_fixed) refuse_fixed(object.file, *file, has_path);
      found_.push_back(*file);
      open_.push_back({*file, rpath});
    }
  }

  bool is_of_build(const fs::path& file) const {
    const fs::path inside = fs::weakly_canonical(file).lexically_relative(build_tree_);
    return !inside.empty() && *inside.begin() != ".." && !is_libtorch(file);
  }

  [[noreturn]] static void refuse_fixed(const fs::path& object, const fs::path& library, bool has_path) {
    throw Error(ErrorKind::usage,
                fmt::format("{} loads {} by {}: it would load no copy of it, and a rebuild could change it while it is "
                            "measured",
                            object.string(), library.string(), has_path ? "its path" : "DT_RPATH"),
                has_path ? "give the library a name: link it with -Wl,-soname,NAME"
                         : "link with -Wl,--enable-new-dtags, which makes it DT_RUNPATH");
  }

  fs::path build_tree_;
  std::vector<std::string> from_variable_;
  std::set<std::string> seen_;
  std::deque<Object> open_;
  std::vector<fs::path> found_;
};

void add_file(const fs::path& file, FnvHash& hash) {
  read_file_in_pieces(file, ErrorKind::usage, [&](std::string_view piece) { hash.add(piece); });
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

ProgramBuild program_build(const fs::path& program, const fs::path& build_tree) {
  const fs::path copies = library_folder(program);
  if (fs::is_directory(copies)) return {program, files_in(copies)};
  return {program, LibrarySearch(build_tree).libraries_of(program)};
}

std::string build_digest(const ProgramBuild& build) {
  FnvHash hash;
  add_file(build.program, hash);
  for (const fs::path& library : build.libraries) {
    hash.add(fmt::format("\n{}\n", library.filename().string()));
    add_file(library, hash);
  }
  return hex_text(hash);
}

fs::path library_folder(const fs::path& program) { return program.parent_path() / library_folder_name; }

Variables with_own_libraries(Variables environment, const fs::path& program) {
  const fs::path copies = fs::absolute(library_folder(program));
  if (!fs::is_directory(copies)) return environment;
  std::string& folders = environment[search_variable];
  folders = folders.empty() ? copies.string() : copies.string() + ":" + folders;
  return environment;
}

std::string file_digest(const fs::path& file) { return build_digest({file}); }

std::string text_file_digest(const fs::path& file) {
  FnvHash hash;
  hash.add(read_text_file(file));
  return hex_text(hash);
}

const std::string& own_program_digest() {
  static const std::string digest = file_digest("/proc/self/exe");
  return digest;
}

}  // namespace stepgate
