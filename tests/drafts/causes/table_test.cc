// Tables that fell into pieces, and what was taken for tables.
#include "tests/drafts/causes/cause_page.h"

namespace docspec {
namespace {

using namespace test;

using Row = std::vector<std::string>;

/// Sets cells at `xs`, those of numbers flush right in columns of this width.
void put_row(Sheet& sheet, double y, const std::vector<double>& xs, const Row& cells,
             bool bold = false) {
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool number = !cells[i].empty() && std::isdigit(uint8_t(cells[i][0]));
    const Style style{sheet.look.size - 1, bold};
    if (number)
      sheet.put_right(xs[i + 1] - 8, y, cells[i], style);
    else if (!cells[i].empty())
      sheet.put(xs[i] + 4, y, cells[i], style);
  }
}

std::string pipe_table(const std::vector<Row>& rows) {
  std::string out;
  for (size_t row = 0; row < rows.size(); ++row) {
    out += "|";
    for (const std::string& cell : rows[row]) out += " " + cell + " |";
    if (row == 0) {
      out += "\n|";
      for (size_t i = 0; i < rows[0].size(); ++i) out += " --- |";
    }
    out += row + 1 < rows.size() ? "\n" : "";
  }
  return out;
}

const std::vector<Row> kRows = {
    {"Station", "Ground", "Spring (m)", "Autumn (m)", "Remarks of the crew"},
    {"North 1", "soft mud", "6.40", "7.15", "clear water, no weeds"},
    {"North 2", "soft mud", "6.05", "6.80", "two stones near the buoy"},
    {"South 1", "coarse sand", "5.10", "", "not sounded in autumn"},
    {"South 2", "rock", "14.85", "15.20", "old chain on the ground"}};

/// Where the columns of kRows begin, on a page of this look.
std::vector<double> columns_of(const Look& look) {
  const double all = look.width - 2 * look.margin, x = look.margin;
  return {x, x + 0.14 * all, x + 0.31 * all, x + 0.48 * all, x + 0.65 * all, x + all};
}

/// Prose, the rows at a pitch of their own with what `rule` draws, prose again.
Sheet table_page(const Look& look, bool inner_rules, bool outer_rules) {
  Sheet sheet(look);
  Column at = sheet.body();
  for (size_t i = 0; i < 2; ++i) sheet.paragraph(at, prose(i));
  const auto xs = columns_of(look);
  const double pitch = 1.7 * look.size;
  double y = at.y - 6;
  for (size_t row = 0; row < kRows.size(); ++row, y -= pitch) {
    put_row(sheet, y, xs, kRows[row], row == 0);
    if (inner_rules || (outer_rules && row < 2))
      sheet.rule(xs.front(), xs.back(), y + pitch - 0.5 * look.size);
  }
  if (outer_rules || inner_rules) sheet.rule(xs.front(), xs.back(), y + pitch - 0.5 * look.size);
  if (inner_rules)
    for (const double x : xs) {
      sheet.content += std::to_string(x) + " " + std::to_string(y + pitch - 0.5 * look.size) +
                       " m " + std::to_string(x) + " " +
                       std::to_string(at.y - 6 + pitch - 0.5 * look.size) + " l S\n";
    }
  sheet.say(pipe_table(kRows));
  at.y = y - 10;
  for (size_t i = 2; i < 5; ++i) sheet.paragraph(at, prose(i));
  return sheet;
}

Drawn draw_grid(const Look& look) {
  return drawn(table_page(look, true, true));
}
Drawn draw_booktabs(const Look& look) {
  return drawn(table_page(look, false, true));
}
Drawn draw_bare(const Look& look) {
  return drawn(table_page(look, false, false));
}

/// A form: labels, and rules or boxes to fill in; some are filled in.
Drawn draw_form(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  sheet.heading(at, "#", "Application for a Berth", {look.size * 1.6, true});
  sheet.paragraph(at, prose(4));
  const double middle = look.width / 2, right = look.width - look.margin;
  const double top = at.y + 4, pitch = 2.2 * look.size;
  const std::vector<Row> fields = {
      {"Name of the vessel: Alma Berta", "Port of registry: Grey Point"},
      {"Length over all: 12.40 m", "Beam: 3.10 m"},
      {"Owner: Anna Wester", "Telephone: 555 0142"},
      {"Street: 12 Quay Street", "Town: Grey Point"}};
  double y = top;
  for (const Row& field : fields) {
    sheet.frame(look.margin, y - pitch, middle, y);
    sheet.frame(middle, y - pitch, right, y);
    sheet.put(look.margin + 5, y - 0.65 * pitch, field[0]);
    sheet.put(middle + 5, y - 0.65 * pitch, field[1]);
    y -= pitch;
  }
  sheet.say(pipe_table(fields));
  at.y = y - 20;
  for (size_t i = 0; i < 3; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// The same form with a rule below each value, as it is filled in by hand or by a machine.
Drawn draw_ruled_form(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  sheet.heading(at, "#", "Application for a Berth", {look.size * 1.6, true});
  sheet.paragraph(at, prose(4));
  at.y -= 8;
  const std::vector<Row> fields = {{"Name of the vessel:", "Alma Berta"},
                                   {"Length over all:", "12.40 m"},
                                   {"Owner:", "Anna Wester"},
                                   {"Telephone:", "555 0142"}};
  std::string lines;
  for (const Row& field : fields) {
    sheet.put(look.margin, at.y, field[0]);
    const double x = look.margin + 130;
    sheet.put(x, at.y, field[1]);
    sheet.rule(x - 4, look.width - look.margin, at.y - 3);
    at.y -= 2 * look.size;
    sheet.say(field[0] + " " + field[1]);
  }
  for (size_t i = 0; i < 3; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// Steps of a manual in a frame.
Drawn draw_steps(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  sheet.paragraph(at, prose(2));
  const double top = at.y + 8;
  Column in{look.margin + 12, look.width - 2 * look.margin - 24, at.y - 12};
  sheet.set(in, "How to cast the lead", {look.size + 1, true});
  sheet.say("## How to cast the lead");
  in.y -= 4;
  const std::string steps[] = {
      "Stop the engine and let the boat lose its way, with the bow against the current.",
      "Coil the line in the left hand so that each mark can be seen as it runs out.",
      "Swing the lead ahead of the boat and call the mark at the water when the line is straight; "
      "never wait for the boat to pass over it.",
      "Write the depth, the time and the ground that sticks to the tallow into the book."};
  std::string list;
  for (size_t i = 0; i < 4; ++i) {
    sheet.put(in.x, in.y, std::to_string(i + 1) + ".");
    Column text{in.x + 18, in.width - 18, in.y};
    sheet.set(text, steps[i]);
    in.y = text.y - 3;
    list += (i ? "\n" : "") + std::to_string(i + 1) + ". " + steps[i];
  }
  sheet.say(list);
  sheet.frame(look.margin, in.y, look.width - look.margin, top);
  at.y = in.y - 20;
  for (size_t i = 3; i < 6; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// A head whose rules end above the rows, and a cell that spans two columns of it.
Drawn draw_rules_that_end(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  sheet.paragraph(at, prose(0));
  const auto xs = columns_of(look);
  const double pitch = 1.7 * look.size, top = at.y + 6;
  double y = top;
  for (size_t row = 0; row < kRows.size(); ++row, y -= pitch) {
    put_row(sheet, y - 0.7 * pitch, xs, kRows[row], row == 0);
    sheet.rule(xs.front(), xs.back(), y);
  }
  sheet.rule(xs.front(), xs.back(), y);
  for (const double x : xs)
    sheet.content += std::to_string(x) + " " + std::to_string(top) + " m " + std::to_string(x) +
                     " " + std::to_string(top - pitch) + " l S\n";
  sheet.say(pipe_table(kRows));
  at.y = y - 22;
  for (size_t i = 2; i < 6; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// A ruled table whose cells hold sentences of several lines.
Drawn draw_sentences_in_cells(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  sheet.paragraph(at, prose(5));
  const double all = look.width - 2 * look.margin, x = look.margin;
  const std::vector<double> xs = {x, x + 0.2 * all, x + 0.6 * all, x + all};
  const std::vector<Row> rows = {
      {"Question", "What the office says", "What the committee says"},
      {"Who pays", "The harbour pays for the entrance, the town for the quay and for the road.",
       "All of it is paid by those who use it, in twenty years."},
      {"When it begins", "After the ferries have stopped in October, if the weather allows.",
       "As soon as the money is there, and not before the survey has been read by everybody."}};
  double y = at.y + 4;
  sheet.rule(xs.front(), xs.back(), y);
  const double top = y;
  for (size_t row = 0; row < rows.size(); ++row) {
    double lowest = y;
    for (size_t i = 0; i < 3; ++i) {
      Column cell{xs[i] + 5, xs[i + 1] - xs[i] - 10, y - 1.3 * look.size};
      sheet.set(cell, rows[row][i], {look.size - 1, row == 0});
      lowest = std::min(lowest, cell.y);
    }
    y = lowest + 0.3 * look.size;
    sheet.rule(xs.front(), xs.back(), y);
  }
  for (const double edge : xs)
    sheet.content += std::to_string(edge) + " " + std::to_string(top) + " m " +
                     std::to_string(edge) + " " + std::to_string(y) + " l S\n";
  sheet.say(pipe_table(rows));
  at.y = y - 22;
  for (size_t i = 2; i < 5; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

constexpr Cause kTables[] = {
    {"structure of a ruled table", "a grid with an empty cell", draw_grid},
    {"structure of a table with rules at its head", "a table of a paper", draw_booktabs},
    {"structure of a table without rules", "rows between paragraphs", draw_bare},
    {"a word per cell", "sentences in ruled cells", draw_sentences_in_cells},
    {"cells merged where rules end", "a head ruled, rows not", draw_rules_that_end},
    {"a form in a cell", "labels and values in boxes", draw_form},
    {"a ruled form in a cell", "labels and values on rules", draw_ruled_form},
    {"steps in a cell", "numbered steps in a frame", draw_steps},
};

class TablePage : public CausePage {};
TEST_P(TablePage, ReadsAsItsTruth) {
  expect_truth();
}
INSTANTIATE_TEST_SUITE_P(Causes, TablePage,
                         testing::Combine(testing::ValuesIn(kTables), testing::ValuesIn(kLooks)),
                         name_of);

}  // namespace
}  // namespace docspec
