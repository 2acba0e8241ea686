#include "json/records/scope_value.h"

namespace stepgate {

Scope scope_at(const Reader& reader) {
  const auto named = [](std::string_view name) -> std::optional<Scope> {
    for (Scope scope : {Scope::portable, Scope::runner, Scope::device}) {
      if (name_of(scope) == name) return scope;
    }
    return std::nullopt;
  };
  return reader.one_of(named, "portable, runner, device");
}

}  // namespace stepgate
