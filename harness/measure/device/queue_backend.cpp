#include "measure/device/queue_backend.h"

namespace stepgate {

void QueueBackend::reserve_events(std::size_t count) {
  while (events_.size() < count) {
    events_.push_back(queue_.make_event(EventTiming::on));
    queue_.record(events_.back(), Stream::compute);  // the first record creates the event on the device
  }
  synchronize();
}

}  // namespace stepgate
