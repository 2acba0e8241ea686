#include "baseline/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "baseline/append_session.h"
#include "baseline/diff.h"
#include "core/error.h"
#include "core/leading_time.h"
#include "core/metric.h"
#include "core/record/fingerprint_mismatches.h"
#include "core/record/loss_sequences.h"
#include "core/stored/policy.h"
#include "core/text/number_format.h"

namespace stepgate {
namespace {

Anchor anchor_of(const Baseline& baseline) {
  const Provenance& provenance = baseline.provenance;
  return {provenance.utc, provenance.commit, headline_values(baseline)};
}

void keep_anchor(const Baseline* committed, Merged& merged) {
  if (committed == nullptr) {
    merged.baseline.anchor = anchor_of(merged.baseline);
  } else if (!same_key(committed->key, merged.baseline.key)) {
    merged.baseline.anchor = anchor_of(merged.baseline);
    merged.notes.emplace_back("the key changed, so this baseline becomes the new anchor");
  } else {
    merged.baseline.anchor = committed->anchor ? committed->anchor : anchor_of(*committed);
  }
}

bool same_session(const Session& a, const Session& b) {
  return a.unix_s == b.unix_s && a.commit == b.commit && a.timed == b.timed;
}

/// An accept that failed half-way is repeated with the same files.
bool holds_all(const Baseline& committed, const Baseline& pending) {
  return same_key(committed.key, pending.key) &&
         std::all_of(pending.sessions.begin(), pending.sessions.end(), [&](const Session& session) {
           return std::any_of(committed.sessions.begin(), committed.sessions.end(),
                              [&](const Session& stored) { return same_session(stored, session); });
         });
}

bool same_sessions(const Baseline& a, const Baseline& b) {
  if (a.sessions.size() != b.sessions.size()) return false;
  for (std::size_t i = 0; i < a.sessions.size(); ++i) {
    if (!same_session(a.sessions[i], b.sessions[i])) return false;
  }
  return true;
}

bool same_numerics(const std::optional<NumericTrace>& a, const std::optional<NumericTrace>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return same_sequences(*a, *b) && a->loss_digest == b->loss_digest && a->parameter_digest == b->parameter_digest &&
         a->key == b->key;
}

/// A file that is older than they are is not written anew for them alone.
bool same_switches(const Baseline& committed, const Baseline& pending) {
  return committed.switches.empty() || committed.switches == pending.switches;
}

bool same_values(const Baseline& a, const Baseline& b) {
  return same_key(a.key, b.key) && same_switches(a, b) && a.exact == b.exact && a.bytes == b.bytes &&
         same_numerics(a.numerics, b.numerics) && a.counts_by_boundary == b.counts_by_boundary &&
         a.operators == b.operators && a.peak_by_boundary == b.peak_by_boundary && a.device_calls == b.device_calls &&
         a.ledger == b.ledger && same_sessions(a, b);
}

Merged merge_exact_half(const Baseline* committed, const Baseline& pending) {
  Merged merged{pending, committed == nullptr ? AcceptKind::created : AcceptKind::replaced, "", {}};
  if (committed != nullptr && same_values(*committed, pending)) {
    merged.baseline = *committed;
    merged.kind = AcceptKind::unchanged;
    return merged;
  }
  keep_anchor(committed, merged);
  return merged;
}

/// If one file mixed old sessions of fast code with new ones of slow code, its limits would be too wide to guard
/// either.
void require_still(const Baseline& committed, const Baseline& pending) {
  const Margins margins;  // the suite's policy is unknown here, so the default margins decide
  const BaselineDiff diff = diff_baselines(&committed, pending);
  for (const BaselineDiffRow& row : diff.rows) {
    if (!is_leading_time(row.metric) || !row.change || std::abs(*row.change) <= margins.matter) continue;
    throw Error(
        ErrorKind::baseline,
        fmt::format("{} ({}): {} moved by {} against the stored sessions", pending.case_name, pending.runner_class,
                    label_of(row.metric), change_text(*row.change)),
        "if the code has changed its speed on purpose, start anew with --replace; if this is one more session of "
        "the same code, add it with --append");
  }
}

/// An older version kept the counters of a GPU with the sessions, under a key that no exact process has. They go with
/// the next accept.
void drop_exact_half(Merged& merged) {
  Baseline& baseline = merged.baseline;
  if (!has_exact_half(baseline)) return;
  baseline.exact.clear();
  baseline.bytes.clear();
  baseline.growth.clear();
  baseline.numerics.reset();
  baseline.counts_by_boundary.clear();
  baseline.operators.clear();
  baseline.peak_by_boundary.clear();
  baseline.device_calls.clear();
  baseline.operator_functions.clear();
  baseline.functions_from.clear();
  baseline.function_calls.clear();
  baseline.ledger.reset();
  merged.notes.emplace_back(
      "the counters of an older version were dropped from this file: those of a GPU have a file of their own "
      "(.exact.json), which the exact half is accepted into");
}

void count_sessions(Baseline& baseline) {
  baseline.provenance.sessions = static_cast<std::int64_t>(baseline.sessions.size());
  baseline.provenance.replicates = 0;
  for (const Session& session : baseline.sessions) {
    const auto step = session.timed.find(leading_time_of(session.timed));
    const auto& values = step == session.timed.end() ? session.timed.begin() : step;
    if (values != session.timed.end()) {
      baseline.provenance.replicates += static_cast<std::int64_t>(values->second.size());
    }
  }
}

Merged start_anew(const Baseline* committed, const Baseline& pending) {
  Merged merged{pending, committed == nullptr ? AcceptKind::created : AcceptKind::reset, "", {}};
  if (committed != nullptr) {
    merged.notes.push_back(fmt::format("{} stored sessions were removed", committed->sessions.size()));
  }
  drop_exact_half(merged);
  keep_anchor(committed, merged);
  count_sessions(merged.baseline);
  return merged;
}

Merged merge_runner(const Baseline* committed, const Baseline& pending, const MergeRules& rules) {
  if (committed == nullptr || rules.replace) return start_anew(committed, pending);
  if (!pending.sessions.empty() && holds_all(*committed, pending)) {
    return {*committed, AcceptKind::unchanged, "", {"its sessions are stored already"}};
  }
  Merged merged{*committed, AcceptKind::appended, "", {}};
  for (const Session& session : pending.sessions) {
    merged.baseline = append_session(std::move(merged.baseline), session, pending.key);
  }
  // Sessions that were measured under two settings say nothing of a switch.
  std::erase_if(merged.baseline.switches, [&](const auto& entry) {
    const auto other = pending.switches.find(entry.first);
    return other == pending.switches.end() || other->second != entry.second;
  });
  if (!rules.append) require_still(*committed, pending);
  drop_exact_half(merged);
  merged.baseline.provenance.compiler = pending.provenance.compiler;
  merged.baseline.provenance.commit = pending.provenance.commit;
  keep_anchor(committed, merged);
  count_sessions(merged.baseline);
  return merged;
}

/// Otherwise a loss that is no longer reported would disappear from the baseline without notice.
void note_what_is_gone(const BaselineDiff& diff, Merged& merged) {
  std::vector<std::string> gone;
  for (const BaselineDiffRow& row : diff.rows) {
    const Metric* metric = find_metric(row.metric);
    if (metric != nullptr && metric->gates && row.before && !row.after) gone.push_back(row.metric);
  }
  if (gone.empty()) return;
  merged.notes.push_back(fmt::format("no longer in the baseline, so no longer guarded: {}", fmt::join(gone, ", ")));
}

}  // namespace

std::string_view name_of(AcceptKind kind) {
  constexpr std::array<std::string_view, 5> names = {"created", "replaced", "appended", "reset", "unchanged"};
  return names[static_cast<std::size_t>(kind)];
}

Merged merge_pending(const Baseline* committed, const Baseline& pending, const MergeRules& rules) {
  const bool counted = pending.scope != Scope::runner;
  if (counted && rules.append) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a {} baseline has no sessions to append", pending.case_name, name_of(pending.scope)),
                "accept it without --append; the sessions alone: --append --tier timed");
  }
  Merged merged = counted ? merge_exact_half(committed, pending) : merge_runner(committed, pending, rules);
  if (committed != nullptr) {
    const BaselineDiff diff = diff_baselines(committed, merged.baseline);
    merged.moved = largest_move(diff);
    note_what_is_gone(diff, merged);
  }
  return merged;
}

}  // namespace stepgate
