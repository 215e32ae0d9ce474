#include "cli/report/live_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <string_view>

#include "core/text/printable.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

std::mutex mutex;
bool shown = false;  ///< a live line is on the screen

constexpr std::string_view kErase = "\r\033[K";

void write_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/// The first `width` code points.
std::string_view cut(std::string_view text, size_t width) {
  size_t at = 0;
  for (size_t i = 0; i < width && at < text.size(); ++i) next_code_point(text, at);
  return text.substr(0, at);
}

}  // namespace

void tell(const std::string& lines) {
  const std::lock_guard lock(mutex);
  write_stderr((shown ? std::string(kErase) : "") + printable(lines, LineBreaks::keep));
  shown = false;
}

void show_live_line(const std::string& text) {
  const std::lock_guard lock(mutex);
  const std::string line = printable(text, LineBreaks::show);
  if (isatty(STDERR_FILENO) == 0) return write_stderr(line + "\n");
  write_stderr(std::string(kErase) + std::string(cut(line, terminal_width() - 1)));
  shown = true;
}

}  // namespace docspec
