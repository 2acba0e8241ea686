// A signal that ended a wait, as an exception of its own: it is not an error.
#pragma once

#include <stdexcept>
#include <string>

namespace stepgate {

/// Thrown where a signal asks this process to end and nothing has begun that must be finished. The launcher prints
/// `what()` and ends with status 128 + `signal()`.
class Interruption : public std::runtime_error {
 public:
  Interruption(int signal, const std::string& message) : std::runtime_error(message), signal_(signal) {}
  int signal() const { return signal_; }

 private:
  int signal_;
};

}  // namespace stepgate
