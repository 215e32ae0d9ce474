#pragma once

#include <functional>
#include <memory>

#include "core/ops/ops.h"

namespace docspec {

/// As make_cpu_ops. `before_product` is called on the thread that asks for a product of weights,
/// some hundred times a prefill or image; what it throws ends that work.
std::unique_ptr<Ops> make_stoppable_cpu_ops(std::function<void()> before_product);

/// While it lives, `check` is called before each product of this thread, too; empty = nothing is.
class ProductCheck {
 public:
  explicit ProductCheck(const std::function<void()>& check);
  ~ProductCheck();
  ProductCheck(const ProductCheck&) = delete;
  ProductCheck& operator=(const ProductCheck&) = delete;

 private:
  const std::function<void()>* const before_;
};

}  // namespace docspec
