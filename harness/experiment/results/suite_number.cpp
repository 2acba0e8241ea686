#include "experiment/results/suite_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <random>

#include "core/error.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

std::filesystem::path suite_file(const std::filesystem::path& out) { return out / "suite.txt"; }

}  // namespace

std::string suite_number(const std::filesystem::path& out) {
  auto text = read_text_file_if_present(suite_file(out));
  if (!text) return "";
  const bool whole = text->size() > 1 && text->back() == '\n';
  if (whole) text->pop_back();
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (!whole || text->size() > 20 || !std::all_of(text->begin(), text->end(), is_digit))
    throw Error(ErrorKind::usage,
                fmt::format("{}: damaged: expected the number of a suite run", suite_file(out).string()),
                "begin the suite again, and measure it: stepgate report --begin");
  return *text;
}

void draw_suite_number(const std::filesystem::path& out) {
  std::random_device chance;
  const auto number = (std::uint64_t{chance()} << 32U) | chance();
  write_file_atomically(suite_file(out), fmt::format("{}\n", number));
}

}  // namespace stepgate
