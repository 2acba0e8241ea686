// A command line in a test: words in, the options of its command or the message of the refusal out.
#pragma once

#include <any>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/parse_options.h"
#include "core/error.h"

namespace stepgate {

/// Splits at spaces; a part in double quotes is one word.
inline std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  bool any = false;
  for (const char letter : line) {
    if (letter == '"') {
      quoted = !quoted;
      any = true;
    } else if (letter == ' ' && !quoted) {
      if (any) words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += letter;
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

/// `line` without "stepgate".
inline CommandLine command_line_of(const std::string& line) {
  std::vector<std::string> words = words_of("stepgate " + line);
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

/// The options of a line whose command takes these.
template <typename Command>
Command options_of(const std::string& line) {
  const CommandLine parsed = command_line_of(line);
  return *std::any_cast<const std::shared_ptr<Command>&>(parsed.call.value().options);
}

/// "what | next" of the usage error; "" where the line is accepted.
inline std::string refusal_of(const std::string& line) {
  try {
    command_line_of(line);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::usage ? std::string(error.what()) + " | " + error.remedy() : "not a usage error";
  }
  return "";
}

/// Sets an environment variable for one test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

}  // namespace stepgate
