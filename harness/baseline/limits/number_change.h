// A number of a policy that differs, with the direction in which it lets more pass.
#pragma once

#include <string>

namespace stepgate {

/// The direction in which a number lets more pass.
enum class Looser { higher, lower, unknown };

/// Infinity on either side stands for a limit that is not there.
struct NumberChange {
  std::string key;
  double before = 0;
  double after = 0;
  Looser looser = Looser::unknown;
  std::string note = {};
};

}  // namespace stepgate
