#include "viewer/words/device_name.h"

namespace twiddle {

std::string device_name(const std::string& runtime, const std::string& device) {
  return device.empty() || device == runtime ? runtime : runtime + " · " + device;
}

}  // namespace twiddle
