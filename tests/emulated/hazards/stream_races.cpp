// Races of streams and events.
#include <torch/csrc/autograd/autograd.h>

#include "emulated/hazards/hazard_race.h"

namespace stepgate {
namespace {

using at::Tensor;
using at::cuda::CUDAEvent;
using c10::cuda::CUDAStream;
using c10::cuda::CUDAStreamGuard;

void read_on_another_stream(bool is_ordered) {
  const CUDAStream maker = new_stream();
  const CUDAStream user = new_stream();
  Tensor numbers = on_device();
  end_all();
  {
    const CUDAStreamGuard guard(maker);
    numbers.fill_(5);  // earlier
  }
  if (is_ordered) order(user, maker);
  const CUDAStreamGuard guard(user);
  const Tensor sum = numbers.sum();  // later
}

void event_before_the_copy(bool is_ordered) {
  const CUDAStream copies = new_stream();
  const CUDAStream work = new_stream();
  Tensor batch = on_device();
  const Tensor pinned = page_locked();
  end_all();
  CUDAEvent copied;
  if (!is_ordered) copied.record(copies);
  {
    const CUDAStreamGuard guard(copies);
    batch.copy_(pinned, true);  // earlier
  }
  if (is_ordered) copied.record(copies);
  copied.block(work);
  const CUDAStreamGuard guard(work);
  const Tensor scaled = batch * 2;  // later
}

void gradient_of_two_streams(bool is_ordered) {
  const CUDAStream one = new_stream();
  const CUDAStream other = new_stream();
  Tensor gradient = on_device();
  const Tensor part = on_device();
  end_all();
  {
    const CUDAStreamGuard guard(one);
    gradient.add_(part);  // earlier
  }
  if (is_ordered) order(other, one);
  const CUDAStreamGuard guard(other);
  gradient.add_(part, 2);  // later
}

void optimizer_on_a_side_stream(bool is_ordered) {
  const CUDAStream work = new_stream();
  const CUDAStream side = new_stream();
  Tensor weight = at::zeros({64, 64}, at::kCUDA);
  const Tensor gradient = at::zeros({64, 64}, at::kCUDA);
  const Tensor input = at::zeros({8, 64}, at::kCUDA);
  end_all();
  {
    const CUDAStreamGuard guard(work);
    const Tensor output = at::mm(input, weight);  // earlier
  }
  if (is_ordered) order(side, work);
  const CUDAStreamGuard guard(side);
  weight.add_(gradient, -0.1);  // later
}

void average_beside_the_optimizer(bool is_ordered) {
  const CUDAStream work = new_stream();
  const CUDAStream side = new_stream();
  Tensor weight = on_device();
  Tensor average = on_device();
  end_all();
  {
    const CUDAStreamGuard guard(work);
    weight.mul_(0.9);  // earlier
  }
  if (is_ordered) order(side, work);
  const CUDAStreamGuard guard(side);
  average.lerp_(weight, 0.1);  // later
}

void default_stream_and_a_free_one(bool is_ordered) {
  const CUDAStream side = new_stream();
  Tensor numbers = on_device();
  end_all();
  numbers.fill_(3);  // earlier
  if (is_ordered) order(side, c10::cuda::getDefaultCUDAStream());
  const CUDAStreamGuard guard(side);
  const Tensor sum = numbers.max();  // later
}

void gradients_cleared_beside_the_backward(bool is_ordered) {
  const CUDAStream work = new_stream();
  const CUDAStream side = new_stream();
  std::vector<Tensor> gradients = {on_device(), on_device()};
  const Tensor part = on_device();
  end_all();
  {
    const CUDAStreamGuard guard(side);
    at::_foreach_zero_(gradients);  // earlier
  }
  if (is_ordered) order(work, side);
  const CUDAStreamGuard guard(work);
  gradients[1].add_(part);  // later
}

void gradients_of_a_backward_used_early(bool is_ordered) {
  const CUDAStream side = new_stream();
  const CUDAStream work = new_stream();
  const Tensor weight = on_device().requires_grad_(true);
  std::vector<Tensor> gradients;
  end_all();
  {
    const CUDAStreamGuard guard(side);
    const Tensor loss = weight.sin().sum();  // earlier
    gradients = torch::autograd::grad({loss}, {weight});
  }
  if (is_ordered) order(work, side);
  const CUDAStreamGuard guard(work);
  const Tensor norm = gradients[0].norm();  // later
}

void wait_for_the_step_before(bool is_ordered) {
  const CUDAStream maker = new_stream();
  const CUDAStream user = new_stream();
  Tensor batch = on_device();
  end_all();
  CUDAEvent made;
  {
    const CUDAStreamGuard guard(maker);
    batch.fill_(1);
    made.record(maker);
    made.block(user);
    batch.fill_(2);  // earlier
    made.record(maker);
  }
  if (is_ordered) made.block(user);
  const CUDAStreamGuard guard(user);
  const Tensor used = batch.neg();  // later
}

void row_written_while_the_table_is_read(bool is_ordered) {
  const CUDAStream work = new_stream();
  const CUDAStream side = new_stream();
  Tensor table = at::zeros({64, 64}, at::kCUDA);
  end_all();
  {
    const CUDAStreamGuard guard(work);
    const Tensor sum = table.sum();  // earlier
  }
  if (is_ordered) order(side, work);
  const CUDAStreamGuard guard(side);
  table.select(0, 7).fill_(1);  // later
}

void index_of_another_stream(bool is_ordered) {
  const CUDAStream maker = new_stream();
  const CUDAStream user = new_stream();
  const Tensor table = on_device();
  Tensor rows = at::zeros({16}, at::TensorOptions(at::kCUDA).dtype(at::kLong));
  end_all();
  {
    const CUDAStreamGuard guard(maker);
    rows.fill_(3);  // earlier
  }
  if (is_ordered) order(user, maker);
  const CUDAStreamGuard guard(user);
  const Tensor found = table.index({rows});  // later
}

void copy_within_a_device(bool is_ordered) {
  const CUDAStream maker = new_stream();
  const CUDAStream user = new_stream();
  Tensor kept = on_device();
  const Tensor numbers = on_device();
  end_all();
  {
    const CUDAStreamGuard guard(maker);
    kept.copy_(numbers);  // earlier
  }
  if (is_ordered) order(user, maker);
  const CUDAStreamGuard guard(user);
  const Tensor joined = at::cat({kept, kept});  // later
}

void event_of_another_stream(bool is_ordered) {
  const CUDAStream maker = new_stream();
  const CUDAStream user = new_stream();
  Tensor numbers = on_device();
  end_all();
  {
    const CUDAStreamGuard guard(maker);
    numbers.random_();  // earlier
  }
  const CUDAStreamGuard guard(user);
  CUDAEvent made;
  if (is_ordered) {
    made.record(maker);
  } else {
    made.record();  // the current stream, which is not the one that makes the numbers
  }
  made.block(user);
  const Tensor sorted = numbers.relu();  // later
}

}  // namespace

std::vector<HazardRace> stream_races() {
  return {
      {"read_on_another_stream", read_on_another_stream},
      {"event_before_the_copy", event_before_the_copy},
      {"gradient_of_two_streams", gradient_of_two_streams},
      {"optimizer_on_a_side_stream", optimizer_on_a_side_stream},
      {"average_beside_the_optimizer", average_beside_the_optimizer},
      {"default_stream_and_a_free_one", default_stream_and_a_free_one},
      {"gradients_cleared_beside_the_backward", gradients_cleared_beside_the_backward},
      {"gradients_of_a_backward_used_early", gradients_of_a_backward_used_early},
      {"wait_for_the_step_before", wait_for_the_step_before},
      {"row_written_while_the_table_is_read", row_written_while_the_table_is_read},
      {"index_of_another_stream", index_of_another_stream},
      {"copy_within_a_device", copy_within_a_device},
      {"event_of_another_stream", event_of_another_stream},
  };
}

}  // namespace stepgate
