// Reads a session by RapidJSON, which takes a third of the time of nlohmann's parser: a history has a million values.
// What RapidJSON refuses is read again by nlohmann's parser, for the message that all documents get.
#include <fmt/format.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <optional>

#include "core/error.h"
#include "json/history/history_document.h"
#include "json/history/history_json.h"
#include "json/history/session_handler.h"

namespace stepgate {
namespace {

/// Without recursion, because a hostile file may be nested deeply; numbers and texts as exact as nlohmann reads them.
constexpr unsigned strict_parsing =
    rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag;

/// Hands the values of a document to a SessionHandler, by the names that RapidJSON calls.
class SessionEvents {
 public:
  using Ch = char;

  explicit SessionEvents(SessionHandler& handler) : handler_(handler) {}

  bool Null() { return handler_.null(); }
  bool Bool(bool value) { return handler_.boolean(value); }
  bool Int(int value) { return handler_.number_integer(value); }
  bool Uint(unsigned value) { return handler_.number_unsigned(value); }
  bool Int64(std::int64_t value) { return handler_.number_integer(value); }
  bool Uint64(std::uint64_t value) { return handler_.number_unsigned(value); }
  bool Double(double value) { return handler_.number_float(value, text_); }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return false; }  // asked for by a flag only
  bool String(const char* text, rapidjson::SizeType size, bool) {
    text_.assign(text, size);
    return handler_.string(text_);
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    text_.assign(text, size);
    return handler_.key(text_);
  }
  bool StartObject() { return handler_.start_object(0); }
  bool EndObject(rapidjson::SizeType) { return handler_.end_object(); }
  bool StartArray() { return handler_.start_array(0); }
  bool EndArray(rapidjson::SizeType) { return handler_.end_array(); }

 private:
  SessionHandler& handler_;
  std::string text_;
};

/// Absent if the text is not JSON.
std::optional<HistorySession> session_read_fast(std::string_view text, const std::string& source) {
  SessionHandler handler(text, source);
  SessionEvents events(handler);
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  if (!reader.Parse<strict_parsing>(stream, events)) return std::nullopt;
  return handler.take();
}

}  // namespace

HistorySession history_session_from_text(std::string_view text, const std::string& source) {
  const std::string remedy(history_session_document.remedy);
  if (text.size() > history_session_document.most_bytes)
    throw Error(ErrorKind::usage, fmt::format("{}: larger than 16 MiB", source), remedy);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(ErrorKind::usage, source + ": the file is empty", remedy);
  if (auto session = session_read_fast(text, source)) return std::move(*session);
  SessionHandler handler(text, source);
  nlohmann::json::sax_parse(text.begin(), text.end(), &handler);
  return handler.take();
}

}  // namespace stepgate
