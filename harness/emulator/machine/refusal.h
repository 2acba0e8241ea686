// How a call that is not modelled ends the process.
#pragma once

#include <string>
#include <string_view>

namespace stepgate::emulator {

/// The exit status of a process that called what is not modelled.
inline constexpr int refusal_status = 78;

/// "stepgate: the emulated GPU has no cufftExecC2C (called by operator fft_r2c). ...". `caller`: of OperatorFinder,
/// "" where none is known. `why`: what is not modelled, "" where the name says it.
std::string refusal_text(std::string_view function, std::string_view caller, std::string_view why);

/// Writes the text to stderr and ends the process at once: no destructor runs, because LibTorch's would call the
/// library again. Log files are complete up to their last mark.
[[noreturn]] void end_process(const std::string& text, int status);

/// Ends the process with refusal_text() and refusal_status.
[[noreturn]] void refuse(std::string_view function, std::string_view why = "");

}  // namespace stepgate::emulator

/// What each generated stub calls, with its own name.
extern "C" [[noreturn]] void stepgate_emulator_refuse(const char* function);
