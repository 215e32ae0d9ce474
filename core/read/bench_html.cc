#include "core/read/bench_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace docspec {
namespace {

using nlohmann::json;

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>docspec bench</title>
<style>
body{font:15px/1.45 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#1c2530}
h1{font-size:1.5em}h2{font-size:1.1em;margin:1.6em 0 .4em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2em .7em;text-align:right;border-bottom:1px solid #dde3ea}
th:first-child,td:first-child,td.text,th.text{text-align:left}
tr.out{color:#8a94a0}.plots{display:flex;flex-wrap:wrap;gap:1em 2em}
figure{margin:0}figcaption{font-weight:600;margin-bottom:.3em}
svg{background:#f7f9fb;border-radius:4px}svg text{font:11px system-ui,sans-serif;fill:#3a4653}
.bar{fill:#3f7fbf}.two{fill:#c9d6e4}.line{fill:none;stroke:#c4572e;stroke-width:2}
.axis{stroke:#9aa7b4}pre{background:#f7f9fb;padding:.8em;white-space:pre-wrap}
</style></head><body>
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

double number(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_number() ? it->get<double>() : 0;
}

/// One bar of a plot; `second` is drawn behind it, for comparison.
struct Bar {
  std::string label;
  double value = 0, second = 0;
};

std::string figure(std::string_view title, int height, const std::string& svg) {
  return fmt::format(
      "<figure><figcaption>{}</figcaption><svg width=\"460\" height=\"{}\" role=\"img\">{}"
      "</svg></figure>\n",
      escaped(title), height, svg);
}

/// Horizontal bars with their values, one under the other.
std::string bars(std::string_view title, const std::vector<Bar>& all, std::string_view format) {
  if (all.empty()) return "";
  constexpr int kLeft = 150, kWidth = 240, kStep = 18;
  double most = 1e-9;
  for (const Bar& bar : all) most = std::max({most, bar.value, bar.second});
  std::string svg;
  int y = 8;
  for (const Bar& bar : all) {
    const auto width = [&](double value) { return kWidth * std::max(0.0, value) / most; };
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", kLeft - 6, y + 11,
                       escaped(bar.label.substr(0, 24)));
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
  return figure(title, y + 6, svg);
}

std::string cost_curve(const json& points) {
  if (!points.is_array() || points.size() < 2) return "";
  constexpr int kLeft = 45, kTop = 12, kWidth = 390, kHeight = 150;
  const double most_rows = points.back()[0].get<double>();
  const double most_ms = std::max(1e-9, points.back()[1].get<double>());
  std::string line, marks;
  for (const json& point : points) {
    const double x = kLeft + kWidth * point[0].get<double>() / most_rows;
    const double y = kTop + kHeight * (1 - point[1].get<double>() / most_ms);
    line += fmt::format("{:.1f},{:.1f} ", x, y);
    marks += fmt::format("<text x=\"{:.0f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x,
                         kTop + kHeight + 15, point[0].get<int>());
  }
  return figure(
      "Milliseconds of a pass by its rows", kTop + kHeight + 24,
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
  return "<div class=\"plots\">\n" + bars("Decode speed-up by page", speed, "{:.2f}") +
         bars("Accepted tokens by source (behind: proposed)", sources, "{:.0f}") +
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
      excluded ? " class=\"out\"" : "", escaped(name_of(page)),
      page.value("output_tokens", int64_t(0)), run.value("passes", int64_t(0)),
      number(run, "aal_all"), number(run, "tokens_per_pass"), number(page, "sr_decode"),
      number(page, "sr_e2e"), escaped(differs));
}

std::string texts(const json& all) {
  if (all.empty()) return "";
  std::string out =
      "<h2>Text against truth</h2>\n<table><tr><th>input</th><th>edit distance</th></tr>\n";
  for (const json& text : all)
    out += fmt::format("<tr><td>{}</td><td>{:.2f} %</td></tr>\n", escaped(text.value("input", "")),
                       100 * number(text, "edit_distance"));
  return out + "</table>\n";
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
      "speed-up {}, end to end {}. AAL {:.2f} (passes with a tree {:.2f}), {:.2f} tokens a pass."
      "</p>\n",
      total.value("pages", 0), total.value("excluded_pages", 0), total.value("identical_pages", 0),
      both("sr_decode"), both("sr_e2e"), number(total, "aal_all"), number(total, "aal_tree"),
      number(total, "tokens_per_pass"));
  out += plots(bench);
  out +=
      "<h2>Pages</h2>\n<table><tr><th>page</th><th>tokens</th><th>passes</th><th>AAL</"
      "th><th>tokens "
      "a pass</th><th>decode</th><th>end to end</th><th class=\"text\">"
      "first difference</th></tr>\n";
  for (const json& page : bench.at("pages")) out += row(page);
  out += "</table>\n" + texts(bench.value("texts", json::array())) + "<h2>Run</h2>\n<pre>";
  for (const char* key : {"model", "device", "options"})
    if (bench.contains(key))
      out += escaped(fmt::format(
          "{}: {}\n", key, bench.at(key).dump(-1, ' ', false, json::error_handler_t::replace)));
  return out + "</pre>\n</body></html>\n";
}

}  // namespace docspec
