#pragma once

#include <ATen/Parallel.h>

#ifndef _OPENMP
#error "compile with -fopenmp: at::parallel_for would run on one thread"
#endif

namespace docspec {

/// work(begin, end) of [0, n): on several threads where that pays, else at once.
template <class Work>
void share_out(bool pays, int64_t n, const Work& work) {
  if (pays)
    at::parallel_for(0, n, 1, work);
  else
    work(0, n);
}

}  // namespace docspec
