#include "measure/passes/request_passes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "measure/step/boundary_action.h"
#include "measure/step/step_checks.h"

namespace stepgate {
namespace {

/// Own choice: memory for a window of batches is there in less, also where a driver has to give it.
constexpr std::int64_t time_for_spares_ns = 1'000'000;

/// What is kept of a request until its block ends.
struct RequestTrace {
  std::array<std::int64_t, boundary_slots + 1> marks_ns{};  ///< its begin, then the end of each boundary in their order
  std::int64_t answered_ns = 0;
  std::int64_t end_ns = 0;  ///< after logging and release()
  TokenClock tokens;
  std::int64_t samples = 0;
  std::uint64_t shape = 0;
};

struct Server {
  TimedRun& run;
  const StepAnswers* answers;  ///< nullptr: the step tells no tokens
};

/// Answers one request, and returns when it has ended.
std::int64_t answer_one(const Server& server, std::int64_t begin_ns, RequestTrace& trace) {
  TimedRun& run = server.run;
  Backend& backend = run.backend;
  std::size_t mark = 0;
  trace.marks_ns[mark++] = begin_ns;
  const auto before = [&](Boundary boundary) {
    if (boundary != Boundary::logging) return;
    backend.synchronize();
    trace.answered_ns = backend.now_ns();
  };
  const auto after = [&](Boundary) { trace.marks_ns[mark++] = backend.now_ns(); };
  run_boundaries(run.actions, run.next_step++, before, after);
  if (server.answers != nullptr) trace.tokens = server.answers->tokens();
  const BatchInfo batch = run.actions.batch_info();  // before release(), which drops the batch
  trace.samples = batch.samples;
  trace.shape = batch.shape;
  run.actions.release();
  trace.end_ns = backend.now_ns();
  return trace.end_ns;
}

void reserve(std::int64_t requests, TokenTimes& tokens) {
  tokens.first_ns.reserve(static_cast<std::size_t>(requests));
  tokens.next_ns.reserve(static_cast<std::size_t>(requests));
}

/// `begin_ns`: when the latency of the request began.
void add_tokens(const TokenClock& seen, std::int64_t begin_ns, TokenTimes& tokens) {
  tokens.tokens += seen.tokens();
  if (seen.tokens() > 0) tokens.first_ns.push_back(seen.first_ns() - begin_ns);
  if (seen.tokens() > 1) tokens.next_ns.push_back((seen.last_ns() - seen.first_ns()) / (seen.tokens() - 1));
}

/// Those of training are in a loop's order too, but it never marks them.
bool is_of_a_request(Boundary boundary) {
  return is_own(boundary) || boundary == Boundary::data_wait || boundary == Boundary::h2d;
}

void add_request(const RequestTrace& trace, TimedRun& run, ClosedLoop& loop) {
  const std::int64_t begin_ns = trace.marks_ns.front();
  if (run.seen_shapes.insert(trace.shape).second) loop.cold.push_back(std::ssize(loop.latency_ns));
  loop.latency_ns.push_back(trace.answered_ns - begin_ns);
  loop.samples += trace.samples;
  const StepBoundaries& boundaries = run.actions.boundaries();
  for (std::size_t i = 0; i < boundaries.order().size(); ++i) {
    const Boundary boundary = boundaries.order()[i];
    if (!is_of_a_request(boundary)) continue;
    loop.boundary_ns[std::string(boundaries.name(boundary))].push_back(trace.marks_ns[i + 1] - trace.marks_ns[i]);
  }
  add_tokens(trace.tokens, begin_ns, loop.tokens);
}

}  // namespace

ClosedLoop run_requests(TimedRun& run) {
  require_positive({"requests", run.steps.requests});
  require_positive({"window", run.steps.window});
  ClosedLoop loop{.clock = std::string(run.backend.clock_name())};
  loop.latency_ns.reserve(static_cast<std::size_t>(run.steps.requests));
  reserve(run.steps.requests, loop.tokens);
  const Server server{run, run.actions.abilities().answers};
  std::vector<RequestTrace> block(static_cast<std::size_t>(std::min(run.steps.window, run.steps.requests)));
  for (std::int64_t left = run.steps.requests; left > 0; left -= std::ssize(block)) {
    block.resize(static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(block), left)));
    run.actions.before_window(std::ssize(block));
    run.backend.synchronize();
    const std::int64_t begin_ns = run.backend.now_ns();
    std::int64_t now_ns = begin_ns;
    for (RequestTrace& trace : block) now_ns = answer_one(server, now_ns, trace);
    loop.wall_ns += now_ns - begin_ns;
    for (const RequestTrace& trace : block) add_request(trace, run, loop);
    if (run.yield) run.yield();
  }
  return loop;
}

OpenLoop run_open_requests(TimedRun& run, const OpenLoopPlan& plan, Arrivals& arrivals) {
  require_positive({"open_requests", run.steps.open_requests});
  OpenLoop loop{.clock = std::string(run.backend.clock_name()),
                .rate_per_s = plan.rate_per_s,
                .capacity_per_s = plan.capacity_per_s,
                .arrival_seed = plan.seed,
                .generator_cpu = arrivals.cpu(),
                .arrival_ns = scheduled_arrivals(plan.rate_per_s, run.steps.open_requests, plan.seed)};
  loop.latency_ns.reserve(loop.arrival_ns.size());
  reserve(run.steps.open_requests, loop.tokens);
  run.actions.before_window(run.steps.window);
  run.backend.synchronize();
  const Server server{run, run.actions.abilities().answers};
  RequestTrace trace;
  const std::int64_t begin_ns = arrivals.begin(loop.arrival_ns);
  for (std::size_t i = 0; i < loop.arrival_ns.size(); ++i) {
    const std::int64_t due_ns = begin_ns + loop.arrival_ns[i];
    // What was made ahead is used up after a window. No request may wait for more of it.
    if (due_ns - run.backend.now_ns() > time_for_spares_ns) run.actions.before_window(run.steps.window);
    arrivals.wait_for(i);
    answer_one(server, run.backend.now_ns(), trace);
    loop.latency_ns.push_back(trace.answered_ns - due_ns);
    add_tokens(trace.tokens, due_ns, loop.tokens);
  }
  const Lateness late = arrivals.late();
  loop.generator_late_ns = late.most_ns;
  loop.generator_late_total_ns = late.total_ns;
  return loop;
}

}  // namespace stepgate
