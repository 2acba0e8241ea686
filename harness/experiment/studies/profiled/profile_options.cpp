#include "experiment/studies/profiled/profile_options.h"

namespace stepgate {

std::optional<ProfilePhase> profile_phase_named(std::string_view name) {
  if (name == "baseline") return ProfilePhase::baseline;
  if (name == "kind") return ProfilePhase::kind;
  if (name == "component") return ProfilePhase::component;
  return name == "operator" ? std::optional(ProfilePhase::operators) : std::nullopt;
}

std::optional<Proving> proving_named(std::string_view name) {
  if (name == "off") return Proving::off;
  if (name == "auto") return Proving::automatic;
  return name == "all" ? std::optional(Proving::all) : std::nullopt;
}

}  // namespace stepgate
