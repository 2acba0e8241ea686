#include "measure/device/hazard_search.h"

#include <memory>

#include "measure/device/queued_copies.h"
#include "measure/passes/step_window.h"

namespace stepgate::test {
namespace {

std::int64_t between(std::mt19937_64& random, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
}

}  // namespace

DrawnRun draw_run(std::mt19937_64& random) {
  DrawnRun run;
  run.slots = static_cast<std::size_t>(between(random, 1, 4));
  run.prefetched_batches = between(random, 0, 3);
  run.most_tensors = between(random, 1, 4);
  run.steps_per_window = between(random, 1, 6);
  run.windows = between(random, 1, 3);
  run.growth_percent = between(random, 0, 60);
  run.shrink_percent = between(random, 0, 40);
  run.pageable_percent = between(random, 0, 2) * 25;
  run.foreign_percent = between(random, 0, 2) * 25;
  run.reads_loss = between(random, 0, 3) == 0;
  run.keeps_batch = between(random, 0, 3) == 0;
  return run;
}

MemoryStats LawBackend::memory() {
  MemoryStats stats;
  stats.reserved_bytes = queue_.memory().reserved_bytes();
  stats.device_mallocs = queue_.memory().device_mallocs();
  return stats;
}

DrawnStep::DrawnStep(ScriptedQueue& queue, const DrawnRun& run, std::mt19937_64& random)
    : queue_(queue),
      run_(run),
      random_(random),
      copier_(queue, run.slots),
      loss_copied_(queue.make_event(EventTiming::off)) {
  for (std::int64_t i = 0; i < run.most_tensors; ++i) sizes_.push_back(between(random, 1, 8) * 512);
}

/// Larger, smaller, or of another dtype: an element size between 1 and 8 bytes.
std::int64_t DrawnStep::next_bytes(std::int64_t& bytes) {
  if (chance(run_.growth_percent)) bytes = bytes * between(random_, 11, 25) / 10;
  if (chance(run_.shrink_percent)) bytes = bytes / 2 + 1;
  if (bytes > 1'000'000) bytes = 512;
  return chance(10) ? bytes << between(random_, 1, 3) : bytes;
}

DrawnStep::HostBatch DrawnStep::next_batch() {
  HostBatch batch;
  const auto tensors = static_cast<std::size_t>(between(random_, 1, run_.most_tensors));
  for (std::size_t i = 0; i < tensors; ++i) {
    const std::int64_t bytes = next_bytes(sizes_[i]);
    if (chance(run_.foreign_percent)) {
      batch.push_back(queue_.allocate_foreign(bytes));
    } else {
      batch.push_back(
          queue_.allocate_host(bytes, chance(run_.pageable_percent) ? HostMemory::pageable : HostMemory::pinned));
    }
    queue_.write_on_host(batch.back()->address, {"loader: write of batch", 0, i});
  }
  return batch;
}

void DrawnStep::run(Boundary boundary, std::int64_t /*step*/) {
  switch (boundary) {
    case Boundary::data_wait:
      return load();
    case Boundary::h2d:
      return copy_to_device();
    case Boundary::forward:
      return launch("step: forward", 3000);
    case Boundary::backward:
      return launch("step: backward", 6000);
    case Boundary::optimizer:
      return launch("step: optimizer", 1000);
    case Boundary::logging:
      return log();
  }
}

void DrawnStep::load() {
  if (resident_ && on_device_) return;
  while (static_cast<std::int64_t>(ready_.size()) <= run_.prefetched_batches) ready_.push_back(next_batch());
  host_ = std::move(ready_.front());
  ready_.erase(ready_.begin());
  on_device_ = false;
}

void DrawnStep::copy_to_device() {
  if (resident_ && on_device_) return;
  std::vector<HostBytes> bytes;
  for (const HostBuffer& buffer : host_) bytes.push_back(*buffer);
  const auto placed = copier_.copy(bytes, [&] { return std::make_shared<HostBatch>(host_); });
  inputs_.assign(placed.begin(), placed.end());
  on_device_ = true;
}

/// Reads the batch and uses temporaries that are freed while the kernel is still queued.
void DrawnStep::launch(const char* what, std::int64_t ns) {
  std::vector<DeviceMemory> temporaries;
  for (std::int64_t i = between(random_, 0, 2); i > 0; --i) {
    temporaries.push_back(queue_.allocate(
        sizes_[static_cast<std::size_t>(between(random_, 0, run_.most_tensors - 1))] * between(random_, 1, 3),
        Stream::compute));
  }
  queue_.work_on_host(100);
  queue_.launch({.site = {what, 0, 0}, .stream = Stream::compute, .ns = ns, .reads = inputs_, .writes = temporaries});
}

void DrawnStep::log() {
  if (!run_.reads_loss) return;
  if (!loss_) loss_ = queue_.allocate(512, Stream::compute);
  queue_.launch({.site = {"step: loss", 0, 0}, .ns = 10, .writes = std::span(&loss_, 1)});
  const HostBuffer number = queue_.allocate_host(4, HostMemory::pinned);
  queue_.copy_to_host(*loss_, *number, Stream::compute, {"log: copy of the loss", 0, 0});
  queue_.record(loss_copied_, Stream::compute);
  queue_.synchronize(loss_copied_);
  queue_.read_on_host(number->address, {"log: read of the loss", 0, 0});
}

void DrawnStep::release() {
  copier_.step_enqueued();
  if (resident_) return;
  inputs_.clear();
  host_.clear();
  on_device_ = false;
}

DrawnCopies::DrawnCopies(ScriptedQueue& queue, std::mt19937_64& random) : queue_(queue) {
  for (const HostMemory memory : {HostMemory::pinned, HostMemory::pageable}) {
    std::vector<HostBuffer>& sources = sources_.emplace_back();
    std::vector<DeviceMemory>& targets = targets_.emplace_back();
    CopySeries series{CopyLayout::split, memory == HostMemory::pinned, 0, between(random, 1, 4), {}};
    for (std::int64_t i = 0; i < series.tensors; ++i) {
      sources.push_back(queue.allocate_host(between(random, 1, 4) * 2048, memory));
      queue.write_on_host(sources.back()->address, {"h2d pass: write of source", 0, static_cast<std::size_t>(i)});
      targets.push_back(queue.allocate(sources.back()->bytes, Stream::compute));
      series.bytes += sources.back()->bytes;
    }
    kinds_.push_back(std::move(series));
  }
}

void DrawnCopies::copy(std::size_t kind) {
  std::vector<HostBytes> from;
  std::vector<DeviceBlock> to;
  for (const HostBuffer& source : sources_[kind]) from.push_back(*source);
  for (const DeviceMemory& target : targets_[kind]) to.push_back(*target);
  queue_copies(queue_, from, to, {"h2d pass: write of series", kind, 0});
}

void run_drawn(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const DrawnRun drawn = draw_run(random);
  ScriptedQueue queue({.record_ns = between(random, 0, 1) * 700, .queue_copy_ns = 1500, .copy_bytes_per_ns = 20});
  LawBackend backend(queue);
  {
    DrawnStep step(queue, drawn, random);
    TimedRun run{step, backend, {}};
    StepWindow window(run, drawn.steps_per_window);
    TimedPass pass;
    for (std::int64_t i = 0; i < drawn.windows; ++i) {
      window.run(drawn.steps_per_window);
      window.append_to(pass);
    }
    if (drawn.keeps_batch) {
      step.keep_batch(true);
      window.run(drawn.steps_per_window);
      step.keep_batch(false);
    }
    step.run(Boundary::forward, 0);  // work that no window has waited for
    DrawnCopies copies(queue, random);
    run_copies(copies, backend, 2);
  }
  queue.synchronize();
}

}  // namespace stepgate::test
