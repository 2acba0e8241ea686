// Counts the primitives that oneDNN makes in a step.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace stepgate {

class PrimitiveWatch {
 public:
  virtual ~PrimitiveWatch() = default;
  /// Forgets what was made before.
  virtual void begin_step() = 0;
  /// Primitives made since begin_step().
  virtual std::int64_t end_step() = 0;

 protected:
  PrimitiveWatch() = default;
  PrimitiveWatch(const PrimitiveWatch&) = default;
  PrimitiveWatch& operator=(const PrimitiveWatch&) = default;
};

/// oneDNN prints a line for each primitive that it makes or runs while this lives; stdout is captured, and what others
/// print there is passed on. So use it in a part of an exact pass of its own. Or why there is nothing to watch.
std::variant<std::unique_ptr<PrimitiveWatch>, std::string> open_primitive_watch();

}  // namespace stepgate
