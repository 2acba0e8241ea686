// An engine of autograd that leaves everything to the engine that was there before it.
#pragma once

#include <torch/csrc/autograd/engine.h>

#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace stepgate {

/// Runs nothing and has no threads: every virtual function that others can call reaches the engine below, with its
/// threads, its hooks of saved tensors and its metadata of anomaly mode. So it can be put on top at any time.
class ForwardingEngine : public torch::autograd::Engine {
 public:
  /// std::shared_ptr up to some version after 2.11, and c10::intrusive_ptr in 2.15.
  using GraphNode = decltype(torch::autograd::NodeTask::fn_);

  /// `below` must outlive this.
  explicit ForwardingEngine(torch::autograd::Engine& below) : below_(below) {}

  torch::autograd::variable_list execute(const torch::autograd::edge_list& roots,
                                         const torch::autograd::variable_list& inputs, bool keep_graph,
                                         bool create_graph, bool accumulate_grad,
                                         const torch::autograd::edge_list& outputs) override {
    return below_.execute(roots, inputs, keep_graph, create_graph, accumulate_grad, outputs);
  }
  c10::intrusive_ptr<at::ivalue::Future> execute_with_graph_task(
      const std::shared_ptr<torch::autograd::GraphTask>& graph_task, GraphNode graph_root,
      torch::autograd::InputBuffer&& input_buffer) override {
    return below_.execute_with_graph_task(graph_task, std::move(graph_root), std::move(input_buffer));
  }
  std::unique_ptr<torch::autograd::AnomalyMetadata> make_anomaly_metadata() override {
    return below_.make_anomaly_metadata();
  }
  std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override {
    return below_.get_default_saved_variable_hooks();
  }
#if __has_include(<torch/csrc/autograd/node_creation_hook.h>)
  std::vector<std::unique_ptr<torch::autograd::NodeCreationHook>> get_node_creation_hooks() override {
    return below_.get_node_creation_hooks();
  }
#endif
  void thread_on_exception(const std::shared_ptr<torch::autograd::GraphTask>& graph_task, const GraphNode& node,
                           std::exception& error) override {
    below_.thread_on_exception(graph_task, node, error);
  }
  void thread_init(int device, const std::shared_ptr<torch::autograd::ReadyQueue>& ready_queue,
                   bool should_increment) override {
    below_.thread_init(device, ready_queue, should_increment);
  }

 private:
  torch::autograd::Engine& below_;
};

}  // namespace stepgate
