#include "experiment/history/session_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "core/text/excerpt.h"
#include "core/text/utc_time.h"
#include "stats/summary.h"
#include "system/command_output.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

double spread_of(const std::vector<double>& values, double middle) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return 0;
  return middle != 0 ? (*most - *least) / std::abs(middle) : 1;
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && number > 0;
  return whole ? std::optional(number) : std::nullopt;
}

}  // namespace

void refuse_history_class(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '.';
  });
  if (!name.empty() && plain && name.front() != '.' && name != "acknowledged") return;
  throw Error(ErrorKind::usage, fmt::format("the runner class '{}' cannot be a folder of the history", excerpt(name)),
              "use letters, digits, - and _: --runner-class NAME");
}

std::string git_line(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "git");
  const std::string text = command_output(arguments);
  return text.substr(0, text.find_first_of("\r\n"));
}

void add_commit_facts(HistorySession& session) {
  session.commit_number = whole_number(git_line({"rev-list", "--count", session.commit, "--"}));
  if (const auto committed = whole_number(git_line({"log", "-1", "--format=%ct", session.commit, "--"})))
    session.commit_utc = utc_text(*committed);
}

std::string add_history_key(const Fingerprint& key, HistorySession& session) {
  FnvHash hash;
  for (const auto& [name, value] : key) hash.add(fmt::format("{}={}\n", name, value));
  const std::string digest = hex_text(hash);
  session.keys[digest] = key;
  return digest;
}

void add_history_value(const std::string& metric, const std::vector<double>& values, HistoryHalf& half) {
  if (values.empty() || !std::all_of(values.begin(), values.end(), [](double one) { return std::isfinite(one); }))
    return;
  const double middle = median(values);
  half.values.push_back({metric, middle, std::ssize(values), spread_of(values, middle)});
}

}  // namespace stepgate
