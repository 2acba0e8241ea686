#include "emulator/process/process_row.h"

#include <fstream>
#include <sstream>

namespace stepgate::emulator {

std::optional<ProcessRow> process_row(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  // "42 (a name) S 7 ...": the name may hold brackets, too.
  const std::size_t begin = line.find('(');
  const std::size_t end = line.rfind(')');
  if (begin == std::string::npos || end == std::string::npos) return std::nullopt;
  std::istringstream rest(line.substr(end + 1));
  char state = 0;
  ProcessRow row{.pid = pid, .program = line.substr(begin + 1, end - begin - 1)};
  rest >> state >> row.parent;
  row.has_ended = state == 'Z' || state == 'X';
  return row;
}

}  // namespace stepgate::emulator
