#include "json/history/session_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text/excerpt.h"
#include "core/text/utc_time.h"
#include "json/history/history_document.h"
#include "json/history/history_json.h"

namespace stepgate {

std::string SessionHandler::path() const {
  std::string text;
  for (std::size_t i = 0; i < std::min(depth_, most_depth); ++i) {
    if (keys_[i].empty()) break;
    text += (text.empty() ? "" : ".") + keys_[i];
  }
  return excerpt(text);
}

void SessionHandler::fail(const std::string& problem) const {
  throw Error(ErrorKind::usage, fmt::format("{}: {}", source_, problem), std::string(history_session_document.remedy));
}

void SessionHandler::fail_foreign(const std::string& name) const {
  throw ForeignDocument(
      ErrorKind::usage,
      fmt::format("{}: schema.name: expected \"{}\", found \"{}\"", source_, history_session_document.name,
                  excerpt(name)),
      "a history folder holds sessions alone: name another folder (--history DIR), or move this file away");
}

void SessionHandler::expected(std::string_view what) const { fail(fmt::format("{}: expected {}", path(), what)); }

std::int64_t SessionHandler::whole_number(double value) const {
  if (!(value >= 0 && value < most_whole_number) || value != std::floor(value)) expected("a whole number");
  return static_cast<std::int64_t>(value);
}

bool SessionHandler::null() {
  if (ignored_ == 0 && depth_ > 0) expected("no null");
  return true;
}

bool SessionHandler::boolean(bool) {
  if (ignored_ > 0 || (depth_ == 1 && !in_parents_)) return true;  // at the top level: an unknown key
  expected("a text or a number");
}

bool SessionHandler::number(double value) {
  if (ignored_ > 0) return true;
  if (depth_ == most_depth) {
    if (count_ == numbers_.size()) expected("[median, replicates, spread]");
    if (!std::isfinite(value)) expected("a finite number");
    numbers_[count_++] = value;
    return true;
  }
  if (in_repetitions()) {
    if (!(value >= 1 && value < most_whole_number)) expected("a number of repetitions");
    half_->repetitions[keys_[value_depth - 1]] = static_cast<std::int64_t>(value);
    return true;
  }
  if (in(2, "schema") && keys_[1] == "major") major_ = whole_number(value);
  if (depth_ == 1) top_level_number(value);
  if (depth_ >= 3 || in_parents_) expected("something else than a number");
  return true;
}

void SessionHandler::top_level_number(double value) {
  constexpr std::array<std::string_view, 8> others = {"class", "utc",  "commit", "commit_utc",
                                                      "run",   "keys", "cases",  "parents"};
  const std::string& key = keys_[0];
  if (key == "commit_number") session_.commit_number = whole_number(value);
  if (key == "first_parent_number") session_.first_parent_number = whole_number(value);
  if (key == "sequence") session_.sequence = whole_number(value);
  if (!in_parents_ && std::find(others.begin(), others.end(), key) != others.end())
    expected("something else than a number");
}

bool SessionHandler::string(std::string& text) {
  if (ignored_ > 0) return true;
  if (in_parents_) {
    if (session_.parents.size() == most_parents) expected(fmt::format("at most {} parents", most_parents));
    session_.parents.push_back(text);
    return true;
  }
  if (depth_ == 1) {
    if (keys_[0] == "commit_number" || keys_[0] == "first_parent_number" || keys_[0] == "sequence")
      expected("a whole number");
    if (keys_[0] == "class") session_.runner_class = std::move(text);
    if (keys_[0] == "utc") session_.utc = std::move(text);
    if (keys_[0] == "commit") session_.commit = std::move(text);
    if (keys_[0] == "commit_utc") session_.commit_utc = std::move(text);
    if (keys_[0] == "run") session_.run = std::move(text);
    return true;
  }
  if (in(2, "schema")) {
    if (keys_[1] == "name") {
      if (text != history_session_document.name) fail_foreign(text);
      schema_name_ = text;
    }
    return true;
  }
  if (in(3, "keys")) {
    session_.keys[keys_[1]][keys_[2]] = std::move(text);
    return true;
  }
  if (in(4, "cases")) {
    if (keys_[3] == "key") half_->key = std::move(text);
    return true;
  }
  expected("no text");
}

void SessionHandler::open_case() {
  const auto same = [&](const HistoryCase& one) { return one.name == keys_[1]; };
  const std::vector<HistoryCase>& cases = session_.cases;
  cases_are_sorted_ = cases_are_sorted_ && (cases.empty() || cases.back().name < keys_[1]);
  // stepgate writes them sorted, so the search is for files that something else wrote.
  if (!cases_are_sorted_ && std::any_of(cases.begin(), cases.end(), same)) fail(path() + ": duplicate key");
  session_.cases.push_back({.name = keys_[1], .exact = {}, .timed = {}});
}

bool SessionHandler::start_object(std::size_t) {
  if (ignored_ > 0) return ++ignored_, true;
  if (in_parents_) expected("texts");
  const bool known = depth_ == 0 ||
                     (depth_ == 1 && (keys_[0] == "schema" || keys_[0] == "keys" || keys_[0] == "cases")) ||
                     in(2, "keys") || in(2, "cases") || in(3, "cases") ||
                     (in(4, "cases") && (keys_[3] == "values" || keys_[3] == "repetitions"));
  if (!known) return ++ignored_, true;
  if (in(2, "keys")) session_.keys.try_emplace(keys_[1]);
  if (in(2, "cases")) open_case();
  if (in(3, "cases")) {
    HistoryCase& one = session_.cases.back();
    if (keys_[2] != "exact" && keys_[2] != "timed") return ++ignored_, true;
    std::optional<HistoryHalf>& half = keys_[2] == "exact" ? one.exact : one.timed;
    if (half) fail(path() + ": duplicate key");
    half_ = &half.emplace();
  }
  ++depth_;
  return true;
}

bool SessionHandler::end_object() {
  if (ignored_ > 0) return --ignored_, true;
  --depth_;
  return true;
}

bool SessionHandler::start_array(std::size_t) {
  if (ignored_ > 0) return ++ignored_, true;
  if (depth_ == 0) fail("expected an object");
  if (in_parents_) expected("texts");
  if (in(1, "parents")) {
    in_parents_ = true;
    return true;
  }
  if (!in(value_depth, "cases")) return ++ignored_, true;
  if (in_repetitions()) expected("a number of repetitions");
  ++depth_;
  count_ = 0;
  return true;
}

bool SessionHandler::end_array() {
  if (ignored_ > 0) return --ignored_, true;
  if (in_parents_) {
    in_parents_ = false;
    return true;
  }
  if (count_ != numbers_.size() || !(numbers_[1] >= 1 && numbers_[1] < most_whole_number))
    expected("[median, replicates, spread]");
  const std::string& metric = keys_[value_depth - 1];
  const auto same = [&](const HistoryValue& value) { return value.metric == metric; };
  std::vector<HistoryValue>& values = half_->values;
  // Likewise sorted.
  if (!values.empty() && values.back().metric >= metric && std::any_of(values.begin(), values.end(), same))
    fail(path() + ": duplicate key");
  --depth_;
  values.push_back({.metric = metric,
                    .median = numbers_[0],
                    .replicates = static_cast<std::int64_t>(numbers_[1]),
                    .spread = numbers_[2]});
  return true;
}

bool SessionHandler::key(std::string& name) {
  if (ignored_ > 0) return true;
  if (depth_ == 1 && !seen_.insert(name).second) fail(name + ": duplicate key");
  keys_[depth_ - 1].swap(name);  // either parser fills its buffer anew
  return true;
}

bool SessionHandler::parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
  // A file that ends within a string or a word gets another message of the parser than one that ends between them.
  const bool cut = position > text_.find_last_not_of(" \t\r\n") + 1 ||
                   std::string_view(error.what()).find("missing closing quote") != std::string_view::npos;
  const std::string_view before = text_.substr(0, position > 0 ? position - 1 : 0);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  fail(fmt::format("line {}: {}", line, cut ? "the file ends too early (cut off?)" : "not valid JSON"));
}

HistorySession SessionHandler::take() {
  if (schema_name_.empty()) fail_foreign("");
  if (major_ != history_session_document.major)
    fail(
        fmt::format("schema.major: expected {}: another version of stepgate wrote it", history_session_document.major));
  for (const char* name : {"class", "utc", "commit", "run", "keys", "cases"}) {
    if (!seen_.contains(name)) fail(fmt::format("{}: the key is missing", name));
  }
  const auto seconds = unix_seconds(session_.utc);
  if (!seconds) fail("utc: expected a time like 2026-11-22T05:34:50Z");
  session_.unix_s = *seconds;
  for (HistoryCase& one : session_.cases) {
    for (auto* half : {&one.exact, &one.timed}) {
      if (!*half) continue;
      if (!session_.keys.contains((*half)->key))
        fail(fmt::format("cases.{}: its key \"{}\" is not among keys", one.name, excerpt((*half)->key)));
      (*half)->values.shrink_to_fit();  // a long history holds 100 000 of these lists
    }
  }
  session_.file = source_;
  return std::move(session_);
}

}  // namespace stepgate
