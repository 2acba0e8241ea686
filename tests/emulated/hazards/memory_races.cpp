// Races in memory that is used again, of graphs, and in page-locked memory.
#include "emulated/hazards/hazard_race.h"

namespace stepgate {
namespace {

using at::Tensor;
using at::cuda::CUDAEvent;
using at::cuda::CUDAGraph;
using c10::cuda::CUDAStream;
using c10::cuda::CUDAStreamGuard;

void record_stream_missing(bool is_ordered) {
  const CUDAStream side = new_stream();
  const CUDAStream own = new_stream();
  const CUDAStreamGuard guard(own);
  Tensor features = at::zeros({race_elements}, at::kCUDA);
  end_all();
  {
    const CUDAStreamGuard on_side(side);
    const Tensor logged = features.abs();  // earlier
  }
  if (is_ordered) features.record_stream(side.unwrap());
  features.reset();
  Tensor next = at::empty({race_elements}, at::kCUDA);
  next.fill_(1);              // later
  if (is_ordered) end_all();  // the block of `features` may be used again from here on
}

void freed_on_the_stream_that_read(bool is_ordered) {
  const CUDAStream side = new_stream();
  const CUDAStream own = new_stream();
  Tensor made;
  {
    const CUDAStreamGuard guard(side);
    made = at::zeros({race_elements}, at::kCUDA);
  }
  end_all();
  {
    const CUDAStreamGuard guard(own);
    const Tensor used = made.exp();  // earlier
  }
  if (is_ordered) order(side, own);
  made.reset();
  const CUDAStreamGuard guard(side);
  Tensor next = at::empty({race_elements}, at::kCUDA);
  next.uniform_();  // later
}

void graph_input_overwritten(bool is_ordered) {
  const CUDAStream copies = new_stream();
  const CUDAStream graphs = new_stream();
  Tensor input = on_device();
  const Tensor pinned = page_locked();
  Tensor output;
  CUDAGraph graph;
  {
    const CUDAStreamGuard guard(graphs);
    graph.capture_begin();
    output = input * 3;  // earlier
    graph.capture_end();
    end_all();
    graph.replay();
  }
  if (is_ordered) order(copies, graphs);
  {
    const CUDAStreamGuard guard(copies);
    input.copy_(pinned, true);  // later
  }
  end_all();
}

void graph_output_read(bool is_ordered) {
  const CUDAStream side = new_stream();
  const CUDAStream graphs = new_stream();
  const Tensor input = on_device();
  Tensor output = on_device();
  CUDAGraph graph;
  {
    const CUDAStreamGuard guard(graphs);
    graph.capture_begin();
    output.copy_(input + 1);  // earlier
    graph.capture_end();
    end_all();
    graph.replay();
  }
  if (is_ordered) order(side, graphs);
  {
    const CUDAStreamGuard guard(side);
    const Tensor logged = output.mean();  // later
  }
  end_all();
}

void pinned_batch_filled_again(bool is_ordered) {
  const CUDAStream copies = new_stream();
  Tensor batch = on_device();
  Tensor pinned = page_locked();
  end_all();
  CUDAEvent copied;
  const CUDAStreamGuard guard(copies);
  batch.copy_(pinned, true);  // earlier
  copied.record(copies);
  if (is_ordered) copied.synchronize();
  pinned.fill_(2);  // later
}

void pinned_result_read_early(bool is_ordered) {
  const CUDAStream work = new_stream();
  const Tensor loss = on_device().sum();
  Tensor pinned = at::zeros({}, at::TensorOptions().pinned_memory(true));
  end_all();
  const CUDAStreamGuard guard(work);
  pinned.copy_(loss, true);  // earlier
  if (is_ordered) work.synchronize();
  static_cast<void>(pinned.item<float>());  // later
}

void host_waits_for_another_stream(bool is_ordered) {
  const CUDAStream copies = new_stream();
  const CUDAStream work = new_stream();
  Tensor batch = on_device();
  Tensor pinned = page_locked();
  end_all();
  {
    const CUDAStreamGuard guard(copies);
    batch.copy_(pinned, true);  // earlier
  }
  (is_ordered ? copies : work).synchronize();
  pinned.uniform_();  // later
}

void one_buffer_for_two_batches(bool is_ordered) {
  const CUDAStream copies = new_stream();
  const CUDAStream work = new_stream();
  Tensor batch = on_device();
  const Tensor pinned = page_locked();
  end_all();
  {
    const CUDAStreamGuard guard(work);
    const Tensor scaled = batch.cos();  // earlier
  }
  if (is_ordered) order(copies, work);
  const CUDAStreamGuard guard(copies);
  batch.copy_(pinned, true);  // later
}

}  // namespace

std::vector<HazardRace> memory_races() {
  return {
      {"record_stream_missing", record_stream_missing},
      {"freed_on_the_stream_that_read", freed_on_the_stream_that_read},
      {"graph_input_overwritten", graph_input_overwritten},
      {"graph_output_read", graph_output_read},
      {"pinned_batch_filled_again", pinned_batch_filled_again},
      {"pinned_result_read_early", pinned_result_read_early},
      {"host_waits_for_another_stream", host_waits_for_another_stream},
      {"one_buffer_for_two_batches", one_buffer_for_two_batches},
  };
}

}  // namespace stepgate
