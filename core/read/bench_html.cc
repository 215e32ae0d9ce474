#include "core/read/bench_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/markup/base/html_tree.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

using nlohmann::json;

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>docspec bench</title>
<style>
:root{color-scheme:light dark;--ink:#1c2530;--soft:#5b6774;--ground:#fff;--panel:#f4f6f9;--line:#d6dde5;
--bar:#3f7fbf;--two:#c3d3e4;--mark:#c4572e}
@media (prefers-color-scheme:dark){:root{--ink:#e3e7ec;--soft:#a2adb9;--ground:#14181d;--panel:#1d232a;--line:#38414b;
--bar:#5b9be0;--two:#38516b;--mark:#f0885a}}
body{font:15px/1.45 system-ui,sans-serif;max-width:70em;margin:1.5em auto;padding:0 1em;color:var(--ink);background:var(--ground)}
h1{font-size:1.5em}h2{font-size:1.1em;margin:1.6em 0 .4em}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2em .7em;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child,td.text,th.text{text-align:left}
tr.out{color:var(--soft)}.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24em),1fr));gap:1em}
figure{margin:0}figcaption{font-weight:600;margin-bottom:.3em}
svg{width:100%;height:auto;background:var(--panel);border-radius:4px}svg text{font:11px system-ui,sans-serif;fill:var(--ink)}
.bar{fill:var(--bar)}.two{fill:var(--two)}.line{fill:none;stroke:var(--mark);stroke-width:2}
.mark{stroke:var(--mark);stroke-dasharray:4 3}.axis{stroke:var(--soft)}
dt{font-weight:600;margin-top:.5em}dd{margin:0}
pre{background:var(--panel);padding:.8em;white-space:pre-wrap;overflow-wrap:anywhere}
</style></head><body>
)";

constexpr std::string_view kTerms = R"(<h2>Terms</h2>
<dl>
<dt>plain decoding</dt><dd>The same model without drafts: one token per pass. All speed-ups are relative to it; 1 is its
speed, less than 1 is slower.</dd>
<dt>pass</dt><dd>One evaluation of the model. It verifies the drafted tokens of its tree and emits those that it accepts and
one of its own.</dd>
<dt>AAL</dt><dd>Average accepted length: drafted tokens that were accepted per pass. Passes without a draft count as 0;
"with a tree" leaves them out.</dd>
<dt>tokens per pass</dt><dd>Tokens emitted per pass: accepted ones and the model's own.</dd>
<dt>decode</dt><dd>Speed-up of the time after prefill. The time of the run includes drafting on the CPU and the whole region
stage, in which doubtful regions are read as crops.</dd>
<dt>end to end</dt><dd>Speed-up of the whole page: rendering, prefill (the pass that reads the image and the prompt) and
decoding.</dd>
<dt>first difference</dt><dd>The first token at which the two outputs differ, and the margin by which plain decoding
preferred its own token to the runner-up (difference of log-probabilities). A margin the size of rounding is a tie.</dd>
<dt>left out: loop</dt><dd>Plain decoding repeated itself without end on this page. It would look fast, so the totals leave
it out.</dd>
<dt>edit distance</dt><dd>Characters to change to get the true text, relative to the longer of the two texts.</dd>
</dl>
)";

double number(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_number() ? it->get<double>() : 0;
}

/// One bar of a plot; `second` is drawn under it for comparison.
struct Bar {
  std::string label;
  double value = 0, second = 0;
};

constexpr int kFigureWidth = 360;  // units of all plots; the page scales them

std::string figure(std::string_view title, int height, const std::string& svg) {
  return fmt::format(
      "<figure><figcaption>{0}</figcaption><svg viewBox=\"0 0 {1} {2}\" role=\"img\" "
      "aria-label=\"{0}\">{3}</svg></figure>\n",
      escape_html(title), kFigureWidth, height, svg);
}

/// The beginning of a name, in whole characters.
std::string beginning(const std::string& name, size_t bytes) {
  const std::string_view cut = std::string_view(name).substr(0, bytes);
  return std::string(cut.substr(0, cut.size() - incomplete_tail(cut)));
}

/// Horizontal bars with their values, one under the other. `mark` > 0: with a line at this value.
std::string bars(std::string_view title, const std::vector<Bar>& all, std::string_view format,
                 double mark = 0) {
  if (all.empty()) return "";
  constexpr int kLeft = 130, kWidth = 180, kStep = 18, kTop = 8;
  double most = std::max(mark, 1e-9);
  for (const Bar& bar : all) most = std::max({most, bar.value, bar.second});
  const auto width = [&](double value) { return kWidth * std::max(0.0, value) / most; };
  std::string svg;
  int y = kTop;
  for (const Bar& bar : all) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", kLeft - 6, y + 11,
                       escape_html(beginning(bar.label, 22)));
    if (bar.second > 0)
      svg += fmt::format("<rect class=\"two\" x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"14\"/>",
                         kLeft, y, width(bar.second));
    svg +=
        fmt::format("<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"/>", kLeft,
                    y + (bar.second > 0 ? 3 : 0), width(bar.value), bar.second > 0 ? 8 : 14);
    svg += fmt::format("<text x=\"{:.0f}\" y=\"{}\">{}</text>",
                       kLeft + 5 + width(std::max(bar.value, bar.second)), y + 11,
                       fmt::format(fmt::runtime(format), bar.value));
    y += kStep;
  }
  if (mark > 0)
    svg += fmt::format("<line class=\"mark\" x1=\"{0:.1f}\" y1=\"2\" x2=\"{0:.1f}\" y2=\"{1}\"/>",
                       kLeft + width(mark), y);
  return figure(title, y + 6, svg);
}

std::string cost_curve(const json& points) {
  if (!points.is_array() || points.size() < 2) return "";
  constexpr int kLeft = 40, kTop = 12, kWidth = 300, kHeight = 150;
  const double most_rows = points.back()[0].get<double>();
  const double most_ms = std::max(1e-9, points.back()[1].get<double>());
  std::string line, marks;
  double last = -100;
  for (const json& point : points) {
    const double x = kLeft + kWidth * point[0].get<double>() / most_rows;
    const double y = kTop + kHeight * (1 - point[1].get<double>() / most_ms);
    line += fmt::format("{:.1f},{:.1f} ", x, y);
    if (x - last < 20) continue;  // its number would lie on the one before
    marks += fmt::format("<text x=\"{:.0f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", last = x,
                         kTop + kHeight + 15, point[0].get<int>());
  }
  return figure(
      "Milliseconds per pass, by number of rows", kTop + kHeight + 24,
      fmt::format("<line class=\"axis\" x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\"/><polyline "
                  "class=\"line\" points=\"{3}\"/>{4}<text x=\"2\" y=\"{5}\">{6:.3g}</text>"
                  "<text x=\"2\" y=\"{1}\">0</text>",
                  kLeft, kTop + kHeight, kLeft + kWidth, line, marks, kTop + 8, most_ms));
}

std::string name_of(const json& page) {
  const std::string input = page.value("input", "");
  return fmt::format("{} p{}", input.substr(input.find_last_of('/') + 1), page.value("page", 0));
}

std::string plots(const json& bench) {
  std::vector<Bar> speed, sources, runs, phases;
  std::map<std::string, Bar> source, phase;
  std::map<int64_t, double> run_lengths;
  for (const json& page : bench.at("pages")) {
    if (page.contains("excluded")) continue;
    speed.push_back({name_of(page), number(page, "sr_decode")});
    for (const auto& [name, count] : page.at("by_source").items()) {
      source[name].value += number(count, "accepted");
      source[name].second += number(count, "proposed");
    }
    for (const json& run : page.at("run").value("run_lengths", json::array()))
      run_lengths[std::min<int64_t>(run[0].get<int64_t>(), 24)] += run[1].get<double>();
    for (const auto& [name, ms] : page.at("run").at("phase_ms").items())
      phase[name].value += ms.get<double>();
    phase["drafters"].value += number(page.at("run"), "draft_ms");
    phase["region stage"].value += number(page.at("run"), "region_ms");
  }
  for (auto& [name, bar] : source) sources.push_back({name, bar.value, bar.second});
  for (const auto& [length, passes] : run_lengths)
    runs.push_back({length == 24 ? "24 or more" : std::to_string(length), passes});
  for (auto& [name, bar] : phase)
    if (bar.value > 0) phases.push_back({name, bar.value});
  return "<div class=\"plots\">\n" +
         bars("Decode speed-up by page (line: 1, plain decoding)", speed, "{:.2f}", 1) +
         bars("Accepted tokens by source (pale: proposed)", sources, "{:.0f}") +
         bars("Passes by accepted tokens", runs, "{:.0f}") +
         bars("Milliseconds by phase", phases, "{:.0f}") +
         cost_curve(bench.value("cost_curve", json::array())) + "</div>\n";
}

std::string row(const json& page) {
  const json& run = page.at("run");
  std::string differs = "identical";
  if (const json& at = page.at("first_difference"); !at.is_null())
    differs = fmt::format("token {}, margin {:.2g}", at.at("position").get<int64_t>(),
                          number(at, "margin"));
  const bool excluded = page.contains("excluded");
  if (excluded) differs += "; left out: " + page.at("excluded").get<std::string>();
  return fmt::format(
      "<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{:.2f}</td><td>{:.2f}</td><td>{:.2f}</td>"
      "<td>{:.2f}</td><td class=\"text\">{}</td></tr>\n",
      excluded ? " class=\"out\"" : "", escape_html(name_of(page)),
      page.value("output_tokens", int64_t(0)), run.value("passes", int64_t(0)),
      number(run, "aal_all"), number(run, "tokens_per_pass"), number(page, "sr_decode"),
      number(page, "sr_e2e"), escape_html(differs));
}

std::string texts(const json& all) {
  if (all.empty()) return "";
  std::string out =
      "<h2>Text against truth</h2>\n<div class=\"wide\"><table><tr><th>input</th><th>edit "
      "distance</th></tr>\n";
  for (const json& text : all)
    out += fmt::format("<tr><td>{}</td><td>{:.2f} %</td></tr>\n",
                       escape_html(text.value("input", "")), 100 * number(text, "edit_distance"));
  return out + "</table></div>\n";
}

}  // namespace

std::string bench_html(const json& bench) {
  const json& total = bench.at("total");
  const auto both = [&](const char* key) {
    const json& ratio = total.at(key);
    return fmt::format("<b>{:.2f}</b> (mean of pages {:.2f})", number(ratio, "ratio_of_sums"),
                       number(ratio, "mean_of_ratios"));
  };
  std::string out(kHead);
  out += fmt::format(
      "<h1>docspec bench</h1>\n<p>{} pages ({} left out), {} identical to plain decoding. Decode "
      "speed-up {}, end to end {}. AAL {:.2f} (passes with a tree {:.2f}), {:.2f} tokens per pass."
      "</p>\n",
      total.value("pages", 0), total.value("excluded_pages", 0), total.value("identical_pages", 0),
      both("sr_decode"), both("sr_e2e"), number(total, "aal_all"), number(total, "aal_tree"),
      number(total, "tokens_per_pass"));
  out += plots(bench);
  out +=
      "<h2>Pages</h2>\n<div class=\"wide\"><table><tr><th>page</th><th>tokens</th><th>passes</th>"
      "<th>AAL</th><th>tokens per pass</th><th>decode</th><th>end to end</th><th class=\"text\">"
      "first difference</th></tr>\n";
  for (const json& page : bench.at("pages")) out += row(page);
  out += "</table></div>\n" + texts(bench.value("texts", json::array())) + std::string(kTerms) +
         "<h2>Run</h2>\n<pre>";
  for (const char* key : {"model", "device", "options"})
    if (bench.contains(key))
      out += escape_html(fmt::format(
          "{}: {}\n", key, bench.at(key).dump(-1, ' ', false, json::error_handler_t::replace)));
  return out + "</pre>\n</body></html>\n";
}

}  // namespace docspec
