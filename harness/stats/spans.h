// Arithmetic on stretches of a time line. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

namespace stepgate {

/// The half-open range [begin, end).
struct Span {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t length() const { return end - begin; }
  bool operator==(const Span&) const = default;
};

/// Spans in order, without overlap, none empty. merged() makes them from any spans; the other functions expect and
/// return such spans.
using Spans = std::vector<Span>;

/// What at least one span covers; those that touch become one. Empty and reversed spans vanish.
Spans merged(std::vector<Span> spans);

/// What `spans` covers and `others` does not.
Spans without(const Spans& spans, const Spans& others);

/// What both cover.
Spans common(const Spans& spans, const Spans& others);

std::int64_t total_length(const Spans& spans);

/// Whether `time` lies in one of them.
bool contains(const Spans& spans, std::int64_t time);

/// How much of `window` they cover. Looks at those that touch it only.
std::int64_t length_within(const Spans& spans, const Span& window);

/// The first that ends after `time`.
Spans::const_iterator first_after(const Spans& spans, std::int64_t time);

}  // namespace stepgate
