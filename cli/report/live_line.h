#pragma once

#include <string>

namespace docspec {

// Standard error, where messages and the line that shows progress share a terminal. Where it cannot
// be written, a full disk perhaps, the run goes on all the same. Any thread may call these.

/// Writes whole lines. A live line is removed first, so that none is torn; it comes back when it is
/// shown next.
void tell(const std::string& lines);

/// Replaces the live line, cut to the width of the terminal. Without a terminal it is a line of its
/// own.
void show_live_line(const std::string& text);

}  // namespace docspec
