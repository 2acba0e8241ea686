#include "emulator/machine/refusal.h"

#include <unistd.h>

#include <cstdlib>

#include "emulator/machine/calling_operator.h"

namespace stepgate::emulator {

std::string refusal_text(std::string_view function, std::string_view caller, std::string_view why) {
  std::string text = "stepgate: the emulated GPU does not model " + std::string(function);
  if (!why.empty()) text += ": " + std::string(why);
  if (!caller.empty()) text += " (called by the operator " + std::string(caller) + ")";
  return text +
         ". Nothing that it would count can be trusted from here on, so the process ends. Leave that operator out of "
         "the case, or measure the case on a GPU.\n";
}

void end_process(const std::string& text, int status) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t more = ::write(STDERR_FILENO, text.data() + written, text.size() - written);
    if (more <= 0) break;
    written += static_cast<std::size_t>(more);
  }
  std::_Exit(status);
}

void refuse(std::string_view function, std::string_view why) {
  end_process(refusal_text(function, OperatorFinder().calling(), why), refusal_status);
}

}  // namespace stepgate::emulator

void stepgate_emulator_refuse(const char* function) { stepgate::emulator::refuse(function); }
