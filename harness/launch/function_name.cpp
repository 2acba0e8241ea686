#include "launch/function_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/text/excerpt.h"

namespace stepgate {
namespace {

constexpr std::size_t longest_name = 200;
/// A demangled name of templates in templates can have a million characters.
constexpr std::size_t most_read = 20'000;

/// A symbol can name a part of itself again ("S1_", "T_"), so one of 300 characters can stand for gigabytes. With so
/// few of these, and so short, it stands for some megabytes at most.
constexpr std::size_t longest_symbol = 2000;
constexpr std::size_t most_repetitions = 20;
constexpr std::size_t most_packs = 1;

/// Operators whose names hold brackets, the longest first, and stand-ins without brackets.
struct BracketOperator {
  std::string_view name;
  std::string_view stand_in;
};
constexpr std::array<BracketOperator, 12> bracket_operators = {
    BracketOperator{"operator()", "operator\1a"},  BracketOperator{"operator<=>", "operator\1b"},
    BracketOperator{"operator<<=", "operator\1c"}, BracketOperator{"operator>>=", "operator\1d"},
    BracketOperator{"operator->*", "operator\1e"}, BracketOperator{"operator<<", "operator\1f"},
    BracketOperator{"operator>>", "operator\1g"},  BracketOperator{"operator->", "operator\1h"},
    BracketOperator{"operator<=", "operator\1i"},  BracketOperator{"operator>=", "operator\1j"},
    BracketOperator{"operator<", "operator\1k"},   BracketOperator{"operator>", "operator\1l"}};

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

/// Without every "(...)". Brackets that do not match end the name.
std::string without_parameters(std::string_view text) {
  std::string result;
  std::size_t depth = 0;
  for (const char character : text) {
    if (character == '(') ++depth;
    if (depth == 0) result += character;
    if (character == ')' && depth > 0) --depth;
  }
  return result;
}

/// Split at spaces outside of template arguments.
std::vector<std::string> name_words(const std::string& text) {
  std::vector<std::string> words(1);
  std::size_t depth = 0;
  for (const char character : text) {
    if (character == '<') ++depth;
    if (character == '>' && depth > 0) --depth;
    if (character == ' ' && depth == 0) {
      words.emplace_back();
    } else {
      words.back() += character;
    }
  }
  std::erase(words, "");
  return words;
}

bool is_qualifier(const std::string& word) {
  constexpr std::array<std::string_view, 5> qualifiers = {"const", "volatile", "&", "&&", "noexcept"};
  return std::find(qualifiers.begin(), qualifiers.end(), word) != qualifiers.end();
}

/// The name itself, between the type of the result and what qualifies it; "operator bool" is two words.
std::string name_among(std::vector<std::string> words) {
  while (words.size() > 1 && is_qualifier(words.back())) words.pop_back();
  if (words.empty()) return "";
  for (std::size_t i = words.size(); i-- > 0;) {
    if (!words[i].ends_with("operator")) continue;
    std::string name = words[i];
    for (std::size_t j = i + 1; j < words.size(); ++j) name += " " + words[j];
    return name;
  }
  return words.back();
}

/// "S_", "S1A_", "T_", "T0_"
bool is_repetition(std::string_view symbol, std::size_t at) {
  if (symbol[at] != 'S' && symbol[at] != 'T') return false;
  const std::size_t end = symbol.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1);
  return end != std::string_view::npos && symbol[end] == '_';
}

/// Whether its demangled name is of moderate length.
bool is_moderate(std::string_view symbol) {
  if (symbol.size() > longest_symbol) return false;
  std::size_t repetitions = 0;
  std::size_t packs = 0;
  for (std::size_t at = 0; at < symbol.size(); ++at) {
    repetitions += is_repetition(symbol, at) ? 1 : 0;
    packs += symbol.compare(at, 2, "Dp") == 0 || symbol.compare(at, 2, "sp") == 0 ? 1 : 0;
  }
  return repetitions <= most_repetitions && packs <= most_packs;
}

/// "{lambda#2}" is "{lambda}": numbers change when another lambda comes before it.
std::string without_numbers(std::string text) {
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at)) {
    std::size_t end = at + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    text.erase(at, end - at);
  }
  return text;
}

}  // namespace

std::string qualified_name(std::string_view demangled) {
  std::string text(demangled.substr(0, most_read));
  std::erase_if(text, [](char character) { return static_cast<unsigned char>(character) < ' '; });
  text = text.substr(0, text.find(" [clone "));
  text = replaced(std::move(text), "(anonymous namespace)::", "");
  for (const BracketOperator& one : bracket_operators) text = replaced(std::move(text), one.name, one.stand_in);
  text = without_numbers(name_among(name_words(without_parameters(text))));
  for (const BracketOperator& one : bracket_operators) text = replaced(std::move(text), one.stand_in, one.name);
  return excerpt(replaced(std::move(text), "}::operator()", "}"), longest_name);
}

std::string function_name(std::string_view demangled) {
  constexpr std::string_view own = "stepgate::";
  std::string name = qualified_name(demangled);
  return name.starts_with(own) ? name.substr(own.size()) : name;
}

std::string qualified_name_of_symbol(const std::string& symbol) {
  if (!is_moderate(symbol)) return qualified_name(symbol);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return qualified_name(status == 0 && text ? text.get() : symbol.c_str());
}

}  // namespace stepgate
