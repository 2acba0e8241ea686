#include <algorithm>

#include "measure/ranks/rank_merge_parts.h"

namespace stepgate {
namespace {

/// True if both have one dtype and their dimensions lie in memory in the same order.
bool is_same_layout(const ObservedTensor& one, const ObservedTensor& other) {
  if (one.dtype != other.dtype || one.strides.size() != other.strides.size()) return false;
  for (std::size_t i = 0; i < one.strides.size(); ++i) {
    if ((one.strides[i] == 0) != (other.strides[i] == 0)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if ((one.strides[i] < one.strides[j]) != (other.strides[i] < other.strides[j])) return false;
    }
  }
  return true;
}

bool is_same_place(const ObservedWork& work, const OperatorSite& a, const ObservedWork& other, const OperatorSite& b) {
  if (!a.place || !b.place) return a.place.has_value() == b.place.has_value();
  return work.places[*a.place] == other.places[*b.place];
}

/// Ranks run one program, so equal calls have equal offsets. Their batches may differ in size.
bool is_same_call(const OperatorSite& a, const OperatorSite& b, bool by_shape) {
  const auto fits = [&](const ObservedTensor& one, const ObservedTensor& other) {
    return is_same_layout(one, other) && (!by_shape || one.sizes == other.sizes);
  };
  return a.boundary == b.boundary && a.name == b.name && a.parent == b.parent && a.callers == b.callers &&
         a.for_forward == b.for_forward && std::ranges::equal(a.inputs, b.inputs, fits) &&
         std::ranges::equal(a.outputs, b.outputs, fits);
}

void add(OperatorSite& into, const OperatorSite& more) {
  into.calls += more.calls;
  into.leaf_calls += more.leaf_calls;
  into.flops += more.flops;
  into.misaligned_flops += more.misaligned_flops;
  into.bytes += more.bytes;
  into.copied_bytes += more.copied_bytes;
  into.allocated_bytes += more.allocated_bytes;
  into.saved_bytes += more.saved_bytes;
  into.self_ns += more.self_ns;
  into.total_ns += more.total_ns;
  into.has_formula = into.has_formula && more.has_formula;
}

std::size_t index_of(const CodePlace& place, std::vector<CodePlace>& places) {
  const auto at = std::find(places.begin(), places.end(), place);
  if (at != places.end()) return static_cast<std::size_t>(at - places.begin());
  places.push_back(place);
  return places.size() - 1;
}

}  // namespace

void add_observed(ObservedWork& into, const ObservedWork& more) {
  if (into.not_lines.empty()) into.not_lines = more.not_lines;
  for (const OperatorSite& site : more.sites) {
    const auto known = std::find_if(into.sites.begin(), into.sites.end(), [&](const OperatorSite& own) {
      return is_same_call(own, site, into.by_shape) && is_same_place(into, own, more, site);
    });
    if (known != into.sites.end()) {
      add(*known, site);
      continue;
    }
    OperatorSite own = site;
    if (site.place) own.place = index_of(more.places[*site.place], into.places);
    into.sites.push_back(std::move(own));
  }
}

}  // namespace stepgate
