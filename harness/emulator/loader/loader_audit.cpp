// Tells the dynamic linker where the shims are (LD_AUDIT, see rtld-audit(7)). It lives in a namespace of its own, with
// a C library of its own, and must not need libstdc++.
#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "emulator/loader/loader_names.h"

namespace stepgate::emulator {
namespace {

constexpr const char* own_name = "libstepgate_emulated_loader.so";
constexpr std::size_t longest_path = 4096;

/// The folder of the shims with a slash at its end; "" where it is unknown, and then no name is changed.
char folder[longest_path] = "";
/// What the linker gets instead of a name. It calls with its lock held, and copies what it gets.
char answer[longest_path] = "";

/// Finds this library in the variable that named it, a list with colons.
void find_folder(const char* list) {
  const char* found = list == nullptr ? nullptr : std::strstr(list, own_name);
  if (found == nullptr) return;
  const char* begin = found;
  while (begin > list && begin[-1] != ':') --begin;
  const auto length = static_cast<std::size_t>(found - begin);
  if (length == 0 || length >= longest_path || found[-1] != '/') return;
  std::memcpy(folder, begin, length);
  folder[length] = '\0';
}

/// folder + `between` + file name; false where that is too long.
bool write_answer(const char* between, const char* file_name) {
  if (std::strlen(folder) + std::strlen(between) + std::strlen(file_name) >= longest_path) return false;
  std::strcpy(answer, folder);
  std::strcat(answer, between);
  std::strcat(answer, file_name);
  return true;
}

const char* place_of_library(const char* name) {
  const char* file_name = file_name_of(name);
  if (folder[0] == '\0' || !is_cuda_library(file_name)) return name;
  if (write_answer("", file_name) && ::access(answer, R_OK) == 0) return answer;
  // A name without a file, because the linker may stop the process where it gets none. Its message then has this path.
  return write_answer("no_such_library/", file_name) ? answer : name;
}

}  // namespace
}  // namespace stepgate::emulator

extern "C" {

unsigned la_version(unsigned /*version*/) {
  stepgate::emulator::find_folder(std::getenv("LD_AUDIT"));
  return LAV_CURRENT;
}

char* la_objsearch(const char* name, std::uintptr_t* /*cookie*/, unsigned flag) {
  const char* place = flag == LA_SER_ORIG ? stepgate::emulator::place_of_library(name) : name;
  return const_cast<char*>(place);
}
}
