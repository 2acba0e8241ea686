// Tables of stored sessions, of the prior's weight and of bytes that vary.
#include <fmt/format.h>

#include <boost/random/uniform_01.hpp>
#include <random>

#include "judge/rules/bytes_rule.h"
#include "lab/lab_tables.h"
#include "lab/on_threads.h"
#include "lab/stored_suites.h"
#include "lab/table_row.h"

namespace stepgate::lab {
namespace {

void stored_row(StoredSuites plan, RowWriter& row) {
  row.begin(fmt::format("{}, S = {}", name_of(plan.noise), plan.sessions));
  plan.change = 0;
  const SuiteOutcome none = simulate(plan);
  plan.change = Margins{}.ignore;
  const SuiteOutcome ignorable = simulate(plan);
  plan.change = Margins{}.matter;
  const SuiteOutcome mattering = simulate(plan);
  row.share("false red at 0", share_of(none.red_suites, none.suites));
  row.share("false red at +1 %", share_of(ignorable.red_suites, ignorable.suites));
  row.share("false pass at +5 %", share_of(mattering.passed, mattering.metrics));
  row.share("red at +5 %", share_of(mattering.regressed, mattering.metrics));
  row.share("inconclusive at 0", share_of(none.inconclusive, none.metrics));
  plan.suites = std::max<std::int64_t>(plan.suites / 20, 50);
  row.percent("detected at 95 %", simulated_detectable_change(plan));
  row.end();
}

/// Bytes of a process: a whole number of blocks of 512, the sum of draws that each add one with probability `share`.
/// Eight draws of .5 vary in most processes, one of .5 agrees by chance most often, and with .01 most replicates agree
/// although the bytes vary.
struct BytesNoise {
  const char* name;
  int draws = 8;
  double share = 0.5;
};

std::vector<std::int64_t> varying_bytes(std::size_t processes, const BytesNoise& noise, std::mt19937_64& generator) {
  boost::random::uniform_01<double> uniform;
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < processes; ++i) {
    std::int64_t blocks = 0;
    for (int draw = 0; draw < noise.draws; ++draw) blocks += uniform(generator) < noise.share;
    result.push_back(1'000'000 + 512 * blocks);
  }
  return result;
}

/// Both sides have the same distribution.
struct BytesSuite {
  std::size_t processes = 2;
  BytesNoise noise = {};
  double alpha_share = 0.05;
  std::size_t confirm_with = 0;  ///< total processes per side once the first are red; 0: the first decide
  bool stored = false;           ///< the base is a file of the first two processes, without further processes
};

void extend(std::vector<std::int64_t>& bytes, const BytesSuite& suite, std::mt19937_64& generator) {
  const auto more = varying_bytes(suite.confirm_with - bytes.size(), suite.noise, generator);
  bytes.insert(bytes.end(), more.begin(), more.end());
}

SuiteOutcome bytes_suite(const BytesSuite& suite, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  SuiteOutcome outcome;
  const Metric& metric = *find_metric("peak_reserved_bytes");
  for (std::int64_t i = 0; i < cases_of_suite; ++i) {
    auto base = varying_bytes(suite.processes, suite.noise, generator);
    auto head = varying_bytes(suite.processes, suite.noise, generator);
    MetricVerdict verdict;
    const auto judge = [&] {
      apply_bytes_rule(metric, {.current = head, .baseline = base, .interleaved = !suite.stored},
                       {.share = suite.alpha_share}, verdict);
    };
    judge();
    if (verdict.status == Status::regressed && suite.confirm_with > suite.processes) {
      if (!suite.stored) extend(base, suite, generator);
      extend(head, suite, generator);
      judge();
    }
    ++outcome.metrics;
    outcome.regressed += verdict.status == Status::regressed;
    outcome.inconclusive += verdict.status == Status::inconclusive;
  }
  outcome.suites = 1;
  outcome.red_suites = outcome.regressed > 0;
  return outcome;
}

}  // namespace

void stored_table(const LabRequest& request, LabReport& report) {
  RowWriter row(fmt::format("Stored sessions, spread 1 %, M = 20, {} suites a row", request.suites), "stored",
                report.csv);
  for (const SessionNoise noise :
       {SessionNoise::exchangeable, SessionNoise::t3, SessionNoise::random_walk, SessionNoise::back_to_back}) {
    for (const std::int64_t sessions : {5, 10, 20}) {
      stored_row({.noise = noise, .sessions = sessions, .suites = request.suites, .seed = request.seed}, row);
    }
  }
}

namespace {

struct MachineRow {
  std::string name;
  StoredSuites plan;
  bool promised = true;  ///< a world that the promises cover
};

void machine_row(MachineRow row, RowWriter& writer, LabReport& report) {
  const auto at = [&](double change) {
    row.plan.change = change;
    return simulate(row.plan);
  };
  const auto keep = [&](const Share& share, const char* what) {
    writer.share(what, share);
    if (row.promised && share.lower > promised_share)
      report.broken.push_back(fmt::format("{}: {} {}", row.name, what, show(share)));
  };
  writer.begin(row.name);
  const SuiteOutcome none = at(0);
  const SuiteOutcome ignorable = at(Margins{}.ignore);
  const SuiteOutcome mattering = at(Margins{}.matter);
  keep(share_of(none.red_suites, none.suites), "false red at 0");
  keep(share_of(ignorable.red_suites, ignorable.suites), "false red at +1 %");
  keep(share_of(mattering.passed + mattering.improved, mattering.metrics), "false green at +5 %");
  const SuiteOutcome large = at(0.3);
  keep(share_of(large.passed + large.improved, large.metrics), "at +30 %");
  writer.share("red at +30 %", share_of(large.regressed, large.metrics));
  writer.share("cases open at 0", share_of(none.inconclusive, none.metrics));
  writer.share("suites open at 0", share_of(none.open_suites, none.suites));
  writer.end();
}

}  // namespace

void machine_table(const LabRequest& request, LabReport& report) {
  RowWriter writer(
      fmt::format("Stored sessions, machine of another speed today: spread of case and reference case 1 %, "
                  "M = 20, {} suites a row",
                  request.suites),
      "machine", report.csv);
  const StoredSuites usual{.reference_sd = 0.01, .suites = request.suites, .seed = request.seed};
  for (const double machine : {-0.23, -0.08, -0.05, -0.02, 0., 0.05, 0.23}) {
    for (const std::int64_t sessions : {1, 3, 6}) {
      StoredSuites plan = usual;
      plan.machine = machine;
      plan.sessions = sessions;
      machine_row({fmt::format("{:+.0f} %, S = {}", 100 * machine, sessions), plan}, writer, report);
    }
  }
  for (const double machine : {-0.23, -0.08, -0.05, 0.05, 0.23}) {
    StoredSuites plan = usual;
    plan.machine = machine;
    plan.machine_share_sd = 0.3;
    plan.sessions = 6;
    machine_row({fmt::format("{:+.0f} %, S = 6, cases follow by 70 to 130 %", 100 * machine), plan}, writer, report);
  }
  for (const ReferenceKind kind : {ReferenceKind::own, ReferenceKind::pooled}) {
    StoredSuites plan = usual;
    plan.reference = kind;
    plan.sessions = 6;
    const char* name = kind == ReferenceKind::own ? "own reference" : "pooled reference";
    machine_row({fmt::format("still, S = 6, {}", name), plan, false}, writer, report);
    plan.drift_sd = 0.05;
    machine_row({fmt::format("speed changes within the suite by 5 %, {}", name), plan, kind == ReferenceKind::own},
                writer, report);
  }
}

void prior_weight_table(const LabRequest& request, LabReport& report) {
  // Shows a trend over three weights and checks no promise, so fewer suites are enough.
  const std::int64_t suites = std::max<std::int64_t>(request.suites / 5, 100);
  RowWriter row(fmt::format("Weight of the prior (2 %), exchangeable sessions, M = 20, {} suites a row", suites),
                "prior-weight", report.csv);
  for (const double spread : {0.003, 0.01, 0.03}) {
    for (const double weight : {2., 4., 8.}) {
      for (const std::int64_t sessions : {5, 20}) {
        StoredSuites plan{.session_sd = spread, .sessions = sessions, .suites = suites, .seed = request.seed};
        plan.policy.prior_weight = weight;
        plan.change = Margins{}.ignore;
        const SuiteOutcome ignorable = simulate(plan);
        plan.change = Margins{}.matter;
        const SuiteOutcome mattering = simulate(plan);
        row.begin(fmt::format("spread {:.1f} %, w = {:.0f}, S = {}", 100 * spread, weight, sessions));
        row.share("false red at +1 %", share_of(ignorable.red_suites, ignorable.suites));
        row.share("false pass at +5 %", share_of(mattering.passed, mattering.metrics));
        plan.suites = std::max<std::int64_t>(plan.suites / 20, 50);
        row.percent("detected at 95 %", simulated_detectable_change(plan));
        row.end();
      }
    }
  }
}

void bytes_table(const LabRequest& request, LabReport& report) {
  RowWriter row(fmt::format("Bytes that vary, both sides alike, range rule, 20 cases, {} suites a row", request.suites),
                "bytes", report.csv);
  for (const BytesNoise& noise :
       {BytesNoise{"most vary"}, BytesNoise{"fair coin", 1}, BytesNoise{"few vary", 8, 0.01}}) {
    for (const BytesSuite& plan : {BytesSuite{2}, BytesSuite{4}, BytesSuite{6}, BytesSuite{8},
                                   BytesSuite{.confirm_with = 6}, BytesSuite{.confirm_with = 6, .stored = true}}) {
      const auto run = [&](double alpha_share) {
        BytesSuite suite = plan;
        suite.noise = noise;
        suite.alpha_share = alpha_share;
        const auto outcome =
            on_threads(request.suites, request.seed, [&](std::uint64_t seed) { return bytes_suite(suite, seed); });
        return share_of(outcome.red_suites, outcome.suites);
      };
      const Share shared = run(promised_share / cases_of_suite);
      row.begin(fmt::format("{}, {} against {}{}", noise.name, plan.processes,
                            plan.stored ? "2 stored" : fmt::to_string(plan.processes),
                            plan.confirm_with > 0 ? fmt::format(", a red confirmed with {}", plan.confirm_with) : ""));
      row.share("false red suites", shared);
      row.share("without its alpha share", run(promised_share));
      row.end();
    }
  }
}

}  // namespace stepgate::lab
