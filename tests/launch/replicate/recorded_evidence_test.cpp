#include "launch/replicate/recorded_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "environment/evidence/taint.h"
#include "support/fake_program.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Not;

constexpr std::int64_t ms = 1'000'000;

/// 2 000 requests in 20 s, of which 20 were announced late by so much.
RunRecord open_record(std::int64_t late_ns, std::int64_t latency_ns) {
  RunRecord record = valid_record(Group::timed, 0);
  OpenLoop& loop = record.open_requests.emplace();
  for (std::int64_t i = 1; i <= 2000; ++i) loop.arrival_ns.push_back(i * 10 * ms);
  loop.latency_ns.assign(2000, latency_ns);
  loop.rate_per_s = 100;
  loop.capacity_per_s = 200;
  loop.generator_late_ns = late_ns;
  loop.generator_late_total_ns = 20 * late_ns;
  return record;
}

Evidence recorded_evidence(const RunRecord& record) {
  const LaunchRequest launch{};
  const CpuChoice cpus{};
  Replicate replicate;
  replicate.record = record;
  add_recorded_evidence({.launch = launch, .cpus = cpus}, 0, replicate);
  return replicate.evidence;
}

std::vector<std::string> reasons_of(const RunRecord& record) {
  return taint_reasons(recorded_evidence(record), default_taint_limits());
}

TEST(RecordedEvidence, TellsHowLateTheGeneratorOfRequestsWas) {
  const Evidence evidence = recorded_evidence(open_record(3 * ms, 5 * ms));
  EXPECT_EQ(evidence.values.at(EvidenceKey::generator_late_ns), 3e6);
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::generator_late_fraction), 0.003);
}

TEST(RecordedEvidence, ALateGeneratorDiscardsTheProcess) {
  EXPECT_THAT(reasons_of(open_record(3 * ms, 5 * ms)),
              ElementsAre("generator_late_fraction 0.003 above 0.001: the generator of requests was late"));
  EXPECT_THAT(reasons_of(open_record(ms, 5 * ms)), IsEmpty());
}

TEST(RecordedEvidence, TheTimesOfTheServerHaveNoPartInIt) {
  for (const std::int64_t latency_ns : {std::int64_t{1}, 5 * ms, 5000 * ms}) {
    EXPECT_EQ(reasons_of(open_record(3 * ms, latency_ns)), reasons_of(open_record(3 * ms, 5 * ms)));
    EXPECT_THAT(reasons_of(open_record(ms, latency_ns)), IsEmpty());
  }
}

TEST(RecordedEvidence, OneInterruptionOfManyRequestsIsNoReason) {
  RunRecord record = open_record(0, 5 * ms);
  record.open_requests->generator_late_ns = record.open_requests->generator_late_total_ns = 59 * ms / 10;
  EXPECT_THAT(reasons_of(record), IsEmpty());
}

TEST(RecordedEvidence, WithoutAnOpenLoopThereIsNoGenerator) {
  const Evidence evidence = recorded_evidence(valid_record(Group::timed, 0));
  EXPECT_THAT(evidence.values, Not(Contains(Key(EvidenceKey::generator_late_fraction))));
  EXPECT_THAT(evidence.values, Not(Contains(Key(EvidenceKey::generator_late_ns))));
}

}  // namespace
}  // namespace stepgate
