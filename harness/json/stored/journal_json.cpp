#include "json/stored/journal_json.h"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

#include "json/text/document_tree.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

constexpr std::size_t checksum_digits = 8;

/// Tells an incomplete line from a complete one. It need not resist forgery.
std::string checksum(std::string_view text) {
  ShortFnvHash hash;
  hash.add(text);
  return hex_text(hash);
}

std::string line_of(const Json& content) {
  const std::string text = content.dump(-1, ' ', true, Json::error_handler_t::replace);
  return fmt::format("{} {}\n", checksum(text), text);
}

/// Nobody sees its errors: a line that cannot be read is counted.
const Origin journal_line_origin{"a line of the journal",
                                 {"", "a line of the journal", 0, 0, ErrorKind::measure, "", 1 * mebibyte}};

/// The JSON of a complete line; nlohmann's `discarded` value if the line is damaged. Throws if it is not JSON.
Json content_of(std::string_view line) {
  const Json none(Json::value_t::discarded);
  if (line.size() <= checksum_digits + 1 || line[checksum_digits] != ' ') return none;
  const std::string_view text = line.substr(checksum_digits + 1);
  if (line.substr(0, checksum_digits) != checksum(text)) return none;
  return parse_document(text, journal_line_origin);
}

JournalRun run_of(const Json& value) {
  return {.boot_id = value.at("boot_id"),
          .pid = value.at("pid"),
          .start_ticks = value.at("start_ticks"),
          .utc = value.at("utc"),
          .command = value.at("command"),
          .boot_time_s = value.value("boot_time_s", std::int64_t{0})};
}

KnobChange change_of(const Json& value) {
  const auto kind = change_kind_named(value.at("kind").get<std::string>());
  if (!kind) throw std::invalid_argument("kind");
  return {.knob = value.at("knob"),
          .kind = *kind,
          .target = value.at("target"),
          .original = value.at("original"),
          .wanted = value.at("wanted"),
          .restore_rank = value.at("restore_rank")};
}

/// A line about a change means nothing if the change's own line is damaged.
JournalEntry& entry_at(Journal& journal, const Json& value) {
  const auto number = value.at("number").get<std::size_t>();
  for (JournalEntry& entry : journal.entries) {
    if (entry.number == number) return entry;
  }
  throw std::invalid_argument("number");
}

void take(const Json& content, Journal& journal) {
  if (content.contains("run")) {
    journal.run = run_of(content.at("run"));
  } else if (content.contains("change")) {
    const Json& value = content.at("change");
    journal.entries.push_back({.number = value.at("number").get<std::size_t>(), .change = change_of(value)});
  } else if (content.contains("applied")) {
    const Json& value = content.at("applied");
    entry_at(journal, value).after = value.at("after").get<std::string>();
  } else if (content.contains("refused")) {
    entry_at(journal, content.at("refused")).refused = true;
  } else {
    entry_at(journal, content.at("restored")).restored = true;
  }
}

}  // namespace

std::string journal_line(const JournalRun& run) {
  return line_of({{"run",
                   {{"boot_id", run.boot_id},
                    {"pid", run.pid},
                    {"start_ticks", run.start_ticks},
                    {"utc", run.utc},
                    {"command", run.command},
                    {"boot_time_s", run.boot_time_s}}}});
}

std::string journal_line(std::size_t number, const KnobChange& change) {
  return line_of({{"change",
                   {{"number", number},
                    {"knob", change.knob},
                    {"kind", name_of(change.kind)},
                    {"target", change.target},
                    {"original", change.original},
                    {"wanted", change.wanted},
                    {"restore_rank", change.restore_rank}}}});
}

std::string applied_line(std::size_t number, const std::string& after) {
  return line_of({{"applied", {{"number", number}, {"after", after}}}});
}

std::string refused_line(std::size_t number) { return line_of({{"refused", {{"number", number}}}}); }

std::string restored_line(std::size_t number) { return line_of({{"restored", {{"number", number}}}}); }

Journal journal_from_text(std::string_view text) {
  Journal journal;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    try {
      const Json content = content_of(line);
      if (content.is_discarded() || end == std::string_view::npos) {
        ++journal.damaged_lines;
        continue;
      }
      take(content, journal);
    } catch (const std::exception&) {  // a whole line of another version, or one that refers to a damaged one
      ++journal.damaged_lines;
    }
  }
  return journal;
}

}  // namespace stepgate
