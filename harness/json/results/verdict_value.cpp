#include "json/results/verdict_value.h"

#include "json/records/scope_value.h"

namespace stepgate {
namespace {

Status status_at(const Reader& reader) {
  return reader.one_of(status_named,
                       "skipped, not-judged, pass, improved, no-baseline, inconclusive, regressed, failed");
}

/// A case's status: "not-judged" is a status of metrics only.
Status case_status_at(const Reader& reader) {
  const auto of_case = [](std::string_view name) {
    const auto status = status_named(name);
    return status == Status::not_judged ? std::nullopt : status;
  };
  return reader.one_of(of_case, "skipped, pass, improved, no-baseline, inconclusive, regressed, failed");
}

Severity severity_at(const Reader& reader) {
  const auto named = [](std::string_view name) -> std::optional<Severity> {
    for (Severity severity : {Severity::note, Severity::warning, Severity::cause}) {
      if (name_of(severity) == name) return severity;
    }
    return std::nullopt;
  };
  return reader.one_of(named, "note, warning, cause");
}

std::optional<double> optional_number(const std::optional<Reader>& reader) {
  return reader ? std::optional(reader->number()) : std::nullopt;
}

Json value_of(const MetricVerdict& verdict) {
  Json value = {{"metric", verdict.metric}};
  if (const Metric* metric = find_metric(verdict.metric)) {  // for readers without the catalogue
    value["unit"] = name_of(metric->unit);
    value["tier"] = name_of(metric->tier);
    value["direction"] = name_of(metric->direction);
  }
  value["status"] = name_of(verdict.status);
  value["reason"] = name_of(verdict.reason);
  value["detail"] = verdict.detail;
  value["gating"] = verdict.gating;
  value["scope"] = name_of(verdict.scope);
  if (verdict.baseline) value["baseline"] = *verdict.baseline;
  if (verdict.current) value["current"] = *verdict.current;
  if (verdict.change) value["change"] = *verdict.change;
  if (verdict.interval) value["interval"] = {{"lower", verdict.interval->lower}, {"upper", verdict.interval->upper}};
  value["limit"] = verdict.limit;
  if (verdict.detectable_change) value["detectable_change"] = *verdict.detectable_change;
  if (verdict.more_replicates) value["more_replicates"] = *verdict.more_replicates;
  return value;
}

MetricVerdict metric_verdict_at(Reader reader) {
  MetricVerdict verdict;
  verdict.metric = reader.at("metric").text();
  verdict.status = status_at(reader.at("status"));
  verdict.reason = VerdictReason::named(reader.at("reason").text());
  verdict.detail = reader.at("detail").text();
  verdict.gating = reader.at("gating").boolean();
  verdict.scope = scope_at(reader.at("scope"));
  verdict.baseline = optional_number(reader.find("baseline"));
  verdict.current = optional_number(reader.find("current"));
  verdict.change = optional_number(reader.find("change"));
  if (auto interval = reader.find("interval")) {
    verdict.interval = Interval{.lower = interval->at("lower").number(), .upper = interval->at("upper").number()};
  }
  verdict.limit = reader.at("limit").text();
  verdict.detectable_change = optional_number(reader.find("detectable_change"));
  if (auto more = reader.find("more_replicates")) verdict.more_replicates = more->integer();
  return verdict;
}

Json value_of(const LimitVerdict& verdict) {
  Json value = {{"kind", name_of(verdict.limit.kind)},
                {"metric", verdict.limit.metric},
                {"value", verdict.limit.value},
                {"outcome", name_of(verdict.outcome)}};
  if (verdict.current) value["current"] = *verdict.current;
  if (verdict.range) {
    value["lower"] = verdict.range->lower;
    value["upper"] = verdict.range->upper;
  }
  value["processes"] = verdict.processes;
  if (verdict.newly_met) value["newly_met"] = true;
  if (!verdict.why.empty()) value["why"] = verdict.why;
  return value;
}

LimitVerdict limit_verdict_at(Reader reader) {
  LimitVerdict verdict;
  verdict.limit = {.kind = reader.at("kind").one_of(absolute_limit_kind_named, "floor, budget, target"),
                   .metric = reader.at("metric").text(),
                   .value = reader.at("value").number()};
  verdict.outcome = reader.at("outcome").one_of(limit_outcome_named, "met, missed, undecided, unchecked, not-judged");
  verdict.current = optional_number(reader.find("current"));
  const auto lower = reader.find("lower");
  const auto upper = reader.find("upper");
  if (lower && upper) verdict.range = ValueBounds{.lower = lower->number(), .upper = upper->number()};
  verdict.processes = reader.at("processes").count();
  if (auto newly_met = reader.find("newly_met")) verdict.newly_met = newly_met->boolean();
  if (auto why = reader.find("why")) verdict.why = why->text();
  return verdict;
}

}  // namespace

void add_verdict(Json& value, const CaseVerdict& verdict) {
  value["case"] = verdict.case_name;
  value["status"] = name_of(verdict.status);
  value["reason"] = name_of(verdict.reason);
  value["detail"] = verdict.detail;
  Json& metrics = value["metrics"] = Json::array();
  for (const MetricVerdict& metric : verdict.metrics) metrics.push_back(value_of(metric));
  if (verdict.limits.empty()) return;
  Json& limits = value["absolute_limits"] = Json::array();
  for (const LimitVerdict& limit : verdict.limits) limits.push_back(value_of(limit));
}

CaseVerdict verdict_at(Reader& reader) {
  CaseVerdict verdict{.case_name = reader.at("case").text(),
                      .status = case_status_at(reader.at("status")),
                      .reason = VerdictReason::named(reader.at("reason").text()),
                      .detail = reader.at("detail").text(),
                      .metrics = reader.at("metrics").list_of(metric_verdict_at)};
  if (auto limits = reader.find("absolute_limits")) verdict.limits = limits->list_of(limit_verdict_at);
  return verdict;
}

namespace {

Json source_value(const SourceFrame& frame) {
  Json value = Json::object();
  if (!frame.function.empty()) value["function"] = frame.function;
  if (!frame.file.empty()) value["file"] = frame.file;
  if (frame.line != 0) value["line"] = frame.line;
  return value;
}

SourceFrame source_at(Reader reader) {
  SourceFrame frame;
  if (auto function = reader.find("function")) frame.function = function->text();
  if (auto file = reader.find("file")) frame.file = file->text();
  if (auto line = reader.find("line")) frame.line = line->count();
  return frame;
}

}  // namespace

Json value_of(const Finding& finding) {
  Json value = {{"code", name_of(finding.code)},
                {"severity", name_of(finding.severity)},
                {"message", finding.message},
                {"advice", finding.advice},
                {"metric", finding.metric}};
  if (!finding.boundary.empty()) value["boundary"] = finding.boundary;
  if (!finding.also.empty()) value["also"] = finding.also;
  for (const SourceFrame& frame : finding.sources) value["sources"].push_back(source_value(frame));
  return value;
}

Finding finding_at(Reader reader) {
  Finding finding{.code = AnyFindingCode::named(reader.at("code").text()),
                  .severity = severity_at(reader.at("severity")),
                  .message = reader.at("message").text(),
                  .advice = reader.at("advice").text(),
                  .metric = reader.at("metric").text()};
  if (auto boundary = reader.find("boundary")) finding.boundary = boundary->text();
  if (auto also = reader.find("also")) finding.also = also->texts();
  if (auto sources = reader.find("sources")) finding.sources = sources->list_of(source_at);
  return finding;
}

Json value_of(const std::vector<MetricBackground>& backgrounds) {
  Json list = Json::array();
  for (const MetricBackground& background : backgrounds) {
    list.push_back({{"metric", background.metric},
                    {"scope", name_of(background.scope)},
                    {"sessions", background.sessions},
                    {"now", background.now},
                    {"baseline_path", background.baseline_path},
                    {"baseline_line", background.baseline_line}});
  }
  return list;
}

MetricBackground background_at(Reader reader) {
  return {.metric = reader.at("metric").text(),
          .scope = scope_at(reader.at("scope")),
          .sessions = reader.at("sessions").numbers(),
          .now = reader.at("now").numbers(),
          .baseline_path = reader.at("baseline_path").text(),
          .baseline_line = reader.at("baseline_line").count()};
}

}  // namespace stepgate
