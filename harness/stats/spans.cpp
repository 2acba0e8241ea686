#include "stats/spans.h"

#include <algorithm>
#include <cstddef>

namespace stepgate {

Spans merged(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::size_t kept = 0;  // the result takes the place of what was read already: there may be millions
  for (const Span span : spans) {
    if (span.end <= span.begin) continue;
    if (kept > 0 && span.begin <= spans[kept - 1].end) {
      spans[kept - 1].end = std::max(spans[kept - 1].end, span.end);
    } else {
      spans[kept++] = span;
    }
  }
  spans.resize(kept);
  return spans;
}

Spans without(const Spans& spans, const Spans& others) {
  Spans result;
  auto other = others.begin();
  for (Span rest : spans) {
    while (other != others.end() && other->end <= rest.begin) ++other;
    for (auto cut = other; cut != others.end() && cut->begin < rest.end; ++cut) {
      if (cut->begin > rest.begin) result.push_back({rest.begin, cut->begin});
      rest.begin = std::min(cut->end, rest.end);
    }
    if (rest.begin < rest.end) result.push_back(rest);
  }
  return result;
}

Spans common(const Spans& spans, const Spans& others) {
  Spans result;
  auto span = spans.begin();
  auto other = others.begin();
  while (span != spans.end() && other != others.end()) {
    const Span both{std::max(span->begin, other->begin), std::min(span->end, other->end)};
    if (both.begin < both.end) result.push_back(both);
    if (span->end < other->end) {
      ++span;
    } else {
      ++other;
    }
  }
  return result;
}

std::int64_t total_length(const Spans& spans) {
  std::int64_t total = 0;
  for (const Span& span : spans) total += span.length();
  return total;
}

Spans::const_iterator first_after(const Spans& spans, std::int64_t time) {
  return std::upper_bound(spans.begin(), spans.end(), time,
                          [](std::int64_t at, const Span& span) { return at < span.end; });
}

bool contains(const Spans& spans, std::int64_t time) {
  const auto span = first_after(spans, time);
  return span != spans.end() && span->begin <= time;
}

std::int64_t length_within(const Spans& spans, const Span& window) {
  if (window.end <= window.begin) return 0;
  std::int64_t length = 0;
  for (auto span = first_after(spans, window.begin); span != spans.end() && span->begin < window.end; ++span) {
    length += std::min(span->end, window.end) - std::max(span->begin, window.begin);
  }
  return length;
}

}  // namespace stepgate
