#include "core/text/path_text.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/text/case_name.h"
#include "core/text/excerpt.h"
#include "core/text/utc_time.h"

namespace stepgate {
namespace {

/// File systems allow 255 bytes; a name is put together from several texts.
constexpr std::size_t most_bytes = 80;

bool has_only(std::string_view text, std::string_view more) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || more.find(c) != std::string_view::npos;
  });
}

bool is_runner_class(std::string_view text) { return has_only(text, "_-") && text.size() <= most_bytes; }

bool is_file_name(std::string_view text) {
  return has_only(text, "_-.ABCDEFGHIJKLMNOPQRSTUVWXYZ") && text.front() != '.' && text.front() != '-' &&
         text.size() <= most_bytes;
}

bool is_utc(std::string_view text) { return unix_seconds(std::string(text)).has_value(); }

struct Form {
  std::string_view kind;
  std::string_view form;
  bool (*fits)(std::string_view);
  std::string_view remedy;
};

/// In the order of PathText.
constexpr std::array<Form, 5> forms = {{
    {"case name", "of the form [a-z0-9_]+(/[a-z0-9_]+)+", is_case_name,
     "name cases like language/char_lm/tiny; 'stepgate list' shows those of this build"},
    {"suite", "of the form [a-z0-9_]+", is_name_part, "name suites like language"},
    {"runner class", "of the form [a-z0-9_-]+", is_runner_class,
     "choose a name for this kind of machine, e.g. --runner-class h200-16c"},
    {"name", "the name of a file or folder", is_file_name, "use letters, digits, '-', '_' and '.'"},
    {"time", "like 2026-11-22T05:34:50Z", is_utc, "measure again: something else than stepgate wrote this time"},
}};

const Form& form_of(PathText kind) { return forms[static_cast<std::size_t>(kind)]; }

}  // namespace

bool is_path_text(PathText kind, std::string_view text) { return form_of(kind).fits(text); }

const std::string& path_text(PathText kind, const std::string& text) {
  if (is_path_text(kind, text)) return text;
  const Form& form = form_of(kind);
  throw Error(ErrorKind::usage, std::string(form.kind) + " '" + excerpt(text) + "' is not " + std::string(form.form),
              std::string(form.remedy));
}

}  // namespace stepgate
