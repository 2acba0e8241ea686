#include "experiment/swept/listed_params.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/interruption.h"
#include "json/records/case_list_json.h"
#include "launch/process/program_output.h"
#include "system/stop_signal.h"

namespace stepgate {

std::optional<std::map<std::string, std::string>> listed_params(const ManifestCase& entry,
                                                                const std::filesystem::path& folder) {
  const std::filesystem::path listing = folder / "cases.json";
  const auto text = program_output({entry.program.string(), "--list", "--json"}, listing);
  if (const int number = stop_signal(); !text && number != 0) {
    std::filesystem::remove(listing);
    throw Interruption(number,
                       fmt::format("stopped by signal {} while {} listed its cases", number, entry.program.string()));
  }
  if (!text) {
    throw Error(ErrorKind::measure, fmt::format("{} does not list its cases", entry.program.string()),
                fmt::format("see what it says: {} --list --json", entry.program.string()));
  }
  auto params = declared_params(*text, listing.string(), entry.name);
  std::filesystem::remove(listing);  // nothing has begun yet, so nothing is left
  return params;
}

}  // namespace stepgate
