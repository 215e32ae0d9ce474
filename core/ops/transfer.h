#pragma once

namespace at {
class Tensor;
}
namespace c10 {
struct Device;
}

namespace docspec {

/// `host` on a device, without waiting for what the device still does: on a GPU through pinned
/// memory. Itself where the device is the host.
at::Tensor send_to_device(const at::Tensor& host, const c10::Device& device);

}  // namespace docspec
