#include "core/ops/transfer.h"

#include <ATen/ATen.h>

namespace docspec {

at::Tensor send_to_device(const at::Tensor& host, const c10::Device& device) {
  if (!device.is_cuda()) return host.to(device);
  return host.pin_memory().to(device, host.scalar_type(), /*non_blocking=*/true);
}

}  // namespace docspec
