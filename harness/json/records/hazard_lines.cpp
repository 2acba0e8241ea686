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

/// Readers of a measurement refuse more.
constexpr std::int64_t largest_sum = std::int64_t{1} << 53;

void add_count(const Reader& reader, std::int64_t& sum) {
  const std::int64_t count = reader.count();
  if (count > largest_sum - sum) reader.expected("a count whose sum over the processes is at most 2^53");
  sum += count;
}

void add_totals(Reader& reader, HazardLines& lines) {
  StreamHazards& into = lines.hazards;
  const std::int64_t accesses = reader.at("accesses").count();
  if (accesses > 0) ++lines.ended_processes;
  add_count(reader.at("accesses"), into.accesses);
  add_count(reader.at("kernels"), into.kernels);
  add_count(reader.at("unknown_kernels"), into.unknown_kernels);
  add_count(reader.at("hazards"), into.hazards);
  add_count(reader.at("forgotten"), into.forgotten);
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
  if (text.size() > most_hazard_file_bytes) {
    throw Error(ErrorKind::measure,
                fmt::format("{}: too large: a file of hazards may have {} MiB", source, most_hazard_file_bytes >> 20U),
                std::string(remeasure_remedy));
  }
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
