// What tests of a gate begin with.
#pragma once

#include "experiment/fake_build.h"
#include "experiment/gate.h"

namespace stepgate {

inline constexpr const char* logged_process = R"(echo "$group $replicate" >> "$here/log"; good)";

inline GateOptions exact_gate(const FakeBuild& build) {
  return {.measure = {.tier = TierChoice::exact}, .host = build.host()};
}

/// A build whose exact baseline is what its program gives now.
inline void store_baseline(const FakeBuild& build) {
  Listener listener;
  run_gate(build.project(), exact_gate(build), listener.caller());
  build.accept_pending();
}

}  // namespace stepgate
