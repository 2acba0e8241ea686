#include "environment/gpu/pci_bus_id.h"

#include <algorithm>
#include <cctype>

namespace stepgate {

std::string kernel_pci_bus_id(std::string_view bus_id) {
  std::string name(bus_id);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::size_t colon = name.find(':');
  if (colon != std::string::npos && colon > 4 && name.find_first_not_of('0') >= colon - 4) name.erase(0, colon - 4);
  return name;
}

}  // namespace stepgate
