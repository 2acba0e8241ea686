#include "json/records/hazard_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "core/error.h"
#include "json/records/stream_hazards_value.h"

namespace stepgate {
namespace {

constexpr DocumentType hazards_document{"stepgate.hazards", "a file of hazards",   1, 0, ErrorKind::measure,
                                        remeasure_remedy,   most_hazard_file_bytes};

void add_totals(Reader& reader, HazardLines& lines) {
  StreamHazards& into = lines.hazards;
  const std::int64_t accesses = reader.at("accesses").count();
  if (accesses > 0) ++lines.ended_processes;
  into.accesses += accesses;
  into.kernels += reader.at("kernels").count();
  into.unknown_kernels += reader.at("unknown_kernels").count();
  into.hazards += reader.at("hazards").count();
  into.forgotten += reader.at("forgotten").count();
}

/// True for the last line of a process.
bool add_line(std::string_view line, const Origin& origin, HazardLines& into) {
  const DocumentTree document = read_document(line, origin);
  Reader reader(document, origin);
  const auto end = reader.find("end");
  if (end && end->boolean()) {
    add_totals(reader, into);
    return true;
  }
  into.hazards.found.push_back(stream_hazard_at(reader));
  return false;
}

}  // namespace

HazardLines hazards_from_text(std::string_view text, const std::string& source) {
  HazardLines lines;
  bool is_whole = false;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      is_whole = false;
      break;
    }
    is_whole = add_line(text.substr(0, end), {fmt::format("{}:{}", source, number), hazards_document}, lines);
    text.remove_prefix(end + 1);
  }
  if (!is_whole) {
    throw Error(ErrorKind::measure, fmt::format("{}: the file of hazards is not whole: a process ended early", source),
                std::string(remeasure_remedy));
  }
  // A rank may end without its last line: its hazards are among those that were found.
  StreamHazards& hazards = lines.hazards;
  hazards.hazards = std::max<std::int64_t>(hazards.hazards, std::ssize(hazards.found));
  return lines;
}

}  // namespace stepgate
