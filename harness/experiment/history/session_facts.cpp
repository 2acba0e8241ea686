#include "experiment/history/session_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>

#include "core/error.h"
#include "core/text/commit_text.h"
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

std::vector<std::string> commit_words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
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

void add_commit_facts(HistorySession& session, const Observer& observer) {
  // "1732250000 PARENT PARENT": when it was committed, and its parents.
  const std::vector<std::string> facts = commit_words(git_line({"log", "-1", "--format=%ct %P", session.commit, "--"}));
  if (facts.empty()) return;  // no checkout, or one that does not know the commit
  if (const auto committed = whole_number(facts.front())) session.commit_utc = utc_text(*committed);
  if (git_line({"rev-parse", "--is-shallow-repository"}) == "true") {
    observer.on_notice(
        {Severity::warning,
         fmt::format("the checkout is a shallow clone, so the place of {} among the commits is not stored",
                     short_commit(session.commit)),
         "fetch all commits (git fetch --unshallow; in GitHub Actions fetch-depth: 0), or give a number "
         "that rises with each commit: --sequence N"});
    return;
  }
  session.commit_number = whole_number(git_line({"rev-list", "--count", session.commit, "--"}));
  session.first_parent_number = whole_number(git_line({"rev-list", "--first-parent", "--count", session.commit, "--"}));
  session.parents.assign(facts.begin() + 1, facts.end());
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
