#include "report/text/console_colour.h"

namespace stepgate {
namespace {

constexpr std::string_view red = "\x1b[1;31m";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view cyan = "\x1b[36m";
constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view faint = "\x1b[2m";

}  // namespace

std::string_view colour_of(Status status) {
  switch (status) {
    case Status::failed:
    case Status::regressed:
      return red;
    case Status::inconclusive:
    case Status::no_baseline:
      return yellow;
    case Status::improved:
      return cyan;
    case Status::pass:
      return green;
    case Status::not_judged:
    case Status::skipped:
      return faint;
  }
  return "";
}

std::size_t colour_length(std::string_view text) {
  for (const std::string_view colour : {red, yellow, cyan, green, faint, colour_end}) {
    if (text.starts_with(colour)) return colour.size();
  }
  return 0;
}

}  // namespace stepgate
