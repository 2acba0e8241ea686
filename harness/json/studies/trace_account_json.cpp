#include "json/studies/trace_account_json.h"

#include "json/studies/account_value.h"
#include "json/text/canonical_text.h"

namespace stepgate {
namespace {

/// Minor 1: the largest part, and events that are not in the account.
constexpr DocumentType trace_account_document{"stepgate.trace_account",
                                              "the account of a trace",
                                              1,
                                              1,
                                              ErrorKind::measure,
                                              "stepgate profile --trace FILE --json"};

Json statistics_value(const StepStatistics& step) {
  return {{"median_ns", step.median_ns}, {"mean_ns", step.mean_ns}, {"sd_ns", step.sd_ns},   {"p95_ns", step.p95_ns},
          {"p99_ns", step.p99_ns},       {"min_ns", step.min_ns},   {"max_ns", step.max_ns}, {"steps", step.steps}};
}

Json value_of(const TraceCost& cost) {
  return {{"name", cost.name}, {"calls", cost.calls}, {"ns", cost.ns}, {"share", cost.share}};
}

Json value_of(const UnusedEvents& events) {
  return {{"what", events.what}, {"events", events.events}, {"ns", events.ns}};
}

template <typename Element>
Json rows_of_trace(const std::vector<Element>& elements) {
  Json list = Json::array();
  for (const Element& element : elements) list.push_back(value_of(element));
  return list;
}

template <typename Number>
void add(Json& value, const char* key, const std::optional<Number>& number) {
  if (number) value[key] = *number;
}

}  // namespace

std::string to_text(const TraceAccount& account) {
  Json document = document_of(trace_account_document);
  document["source"] = account.source;
  document["text_bytes"] = account.text_bytes;
  document["events"] = account.events;
  document["of"] = account.of;
  document["on_device"] = account.on_device;
  add(document, "rank", account.rank);
  add(document, "ranks", account.ranks);
  document["steps"] = account.steps;
  document["span_ns"] = account.span_ns;
  if (account.steps > 0) document["step"] = statistics_value(account.step);
  document["account"] = rows_of_trace(account.parts);
  add(document, "busy_share", account.busy_share);
  document["bottlenecks"] = rows_of_trace(account.bottlenecks);
  if (!account.largest.empty()) document["largest"] = account.largest;
  add(document, "launch_delay_ns", account.launch_delay_ns);
  add(document, "short_kernels", account.short_kernels);
  if (account.on_device) {
    document["host_syncs"] = account.host_syncs;
    document["pageable_copies"] = account.pageable_copies;
  }
  document["costliest"] = rows_of_trace(account.costliest);
  document["not_needed"] = rows_of_trace(account.not_needed);
  document["not_known"] = rows_of_trace(account.not_known);
  document["left_out"] = rows_of_trace(account.left_out);
  document["notes"] = account.notes;
  return canonical_text(document, {"trace account", trace_account_document});
}

}  // namespace stepgate
