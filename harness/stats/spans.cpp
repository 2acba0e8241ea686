#include "stats/spans.h"

#include <algorithm>

namespace stepgate {

Spans merged(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
  Spans result;
  for (const Span& span : spans) {
    if (span.end <= span.begin) continue;
    if (!result.empty() && span.begin <= result.back().end) {
      result.back().end = std::max(result.back().end, span.end);
    } else {
      result.push_back(span);
    }
  }
  return result;
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

}  // namespace stepgate
