// The README and the manual show what there is: programs are those of the files named, what they
// are said to print is what they print, commands run, links lead somewhere, and the page of the
// settings is what the table of settings says.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <vector>

#include "../../capi/settings_table.hpp"
#include "manual_support.hpp"
#include "tool_support.hpp"

namespace perp_test {
namespace {

const fs::path source = PERP_SOURCE_DIR;

// README.md and capi/manual, beside each other.
std::vector<fs::path> pages() {
    std::vector<fs::path> found = {source / "README.md"};
    for (const auto& entry : fs::directory_iterator(source / "capi" / "manual"))
        if (entry.path().extension() == ".md") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

class Manual : public Tool {
protected:
    // In the test's folder; printed: what goes to standard output.
    int run_command(const std::string& command, std::string& printed) const {
        const std::string out = path("printed.txt");
        // The Fortran runtime is not for the address sanitizer's strict string checks.
        const std::string whole =
            "cd '" + path("") +
            "' && ASAN_OPTIONS=\"$ASAN_OPTIONS:strict_string_checks=0\" PATH='" +
            fs::path(PERP_TOOL).parent_path().string() + "':\"$PATH\" " + command + " > '" + out +
            "'";
        const int code = std::system(whole.c_str());
        printed = contents(out);
        return code;
    }
};

TEST_F(Manual, EveryBlockSaysWhatItIs) {
    const std::set<std::string> kinds = {"file", "part", "output", "run"};
    std::size_t found = 0;
    for (const fs::path& page : pages())
        for (const Block& block : blocks_of(contents(page))) {
            if (!block.fenced) continue;
            ++found;
            EXPECT_EQ(kinds.count(block.kind), 1u) << page << ", line " << block.line;
            if (block.kind == "run") {
                const std::set<std::string> where = {"tool", "installed", "repository"};
                EXPECT_EQ(where.count(block.name), 1u) << page << ", line " << block.line;
            }
        }
    EXPECT_GE(found, 20u);
}

TEST_F(Manual, ProgramsAreThoseOfTheFiles) {
    int files = 0, parts = 0;
    for (const fs::path& page : pages())
        for (const Block& block : blocks_of(contents(page))) {
            if (block.kind == "file") {
                ++files;
                EXPECT_EQ(block.text, contents(source / block.name)) << page << ": " << block.name;
            } else if (block.kind == "part") {
                ++parts;
                EXPECT_TRUE(is_part(block.text, contents(source / block.name)))
                    << page << ", line " << block.line << ": not in " << block.name;
            }
        }
    EXPECT_GE(files, 3);
    EXPECT_GE(parts, 3);
}

TEST_F(Manual, ProgramsPrintWhatItSays) {
    int found = 0;
    for (const fs::path& page : pages())
        for (const Block& block : blocks_of(contents(page))) {
            if (block.kind != "output" || block.name.rfind("example_", 0) != 0) continue;
            // Fortran where there is no compiler, other libraries where they are not installed
            if (!fs::exists(fs::path(PERP_TOOL).parent_path() / block.name)) continue;
            ++found;
            std::string printed;
            EXPECT_EQ(run_command(block.name, printed), 0) << block.name;
            EXPECT_EQ(block.text, printed) << page << ": " << block.name;
        }
    EXPECT_GE(found, 5);
}

// Commands of a page run one after the other in one folder. What they print is what the page says,
// but for numbers: times differ, and iterations may.
TEST_F(Manual, CommandsOfTheToolRunAndPrintWhatItSays) {
    int commands = 0, outputs = 0;
    for (const fs::path& page : pages()) {
        for (const auto& entry : fs::directory_iterator(path(""))) fs::remove_all(entry.path());
        std::string last, printed;
        for (const Block& block : blocks_of(contents(page))) {
            if (block.kind == "run" && block.name == "tool") {
                for (const std::string& line : lines_of(block.text)) {
                    ++commands;
                    last = line;
                    EXPECT_EQ(run_command(line, printed), 0) << page << ": " << line;
                }
            } else if (block.kind == "output" && block.name.rfind("perp ", 0) == 0) {
                ++outputs;
                EXPECT_TRUE(block.fenced) << page << ", line " << block.line;
                if (block.name != last) {
                    EXPECT_EQ(run_command(block.name, printed), 0) << page << ": " << block.name;
                }
                last = block.name;
                EXPECT_EQ(without_numbers(block.text), without_numbers(printed))
                    << page << ": " << block.name << " prints\n"
                    << printed;
            }
        }
    }
    EXPECT_GE(commands, 8);
    EXPECT_GE(outputs, 4);
}

TEST_F(Manual, LinksLeadSomewhere) {
    int found = 0;
    for (const fs::path& page : pages())
        for (const std::string& link : links_of(contents(page))) {
            if (link.rfind("http", 0) == 0) continue;
            ++found;
            const std::size_t hash = link.find('#');
            const std::string file = link.substr(0, hash);
            const fs::path target = file.empty() ? page : page.parent_path() / file;
            ASSERT_TRUE(fs::exists(target)) << page << ": " << link;
            if (hash == std::string::npos) continue;
            EXPECT_EQ(anchors_of(contents(target)).count(link.substr(hash + 1)), 1u)
                << page << ": " << link;
        }
    EXPECT_GE(found, 50);
}

// ------------------------------------------------------------------ settings

std::string word_of(const char* setting, std::int64_t value) {
    for (const auto& word : perp::capi::setting_words)
        if (word.setting == std::string(setting) && word.value == value) return word.text;
    return "";
}

std::string default_of(const perp::capi::SettingField& field) {
    perp_settings settings;
    EXPECT_EQ(perp_settings_init(&settings, sizeof settings), PERP_OK);
    std::ostringstream text;
    if (field.real != nullptr) {
        text << settings.*field.real;
        return text.str() == "0.0001" ? "1e-4" : text.str();
    }
    const std::int64_t value = settings.*field.integer;
    const std::string word = word_of(field.name, value);
    text << value;
    return word.empty() ? text.str() : "`" + word + "`";
}

std::string settings_page() {
    std::ostringstream page;
    page << "<!-- Made from capi/settings_table.hpp by tests/capi/manual_test.cpp. -->\n"
            "# Settings\n\n"
            "Members of `perp_settings`, and the names that `perp_solver_set`, Fortran and Octave "
            "know. In the tool, `method` (as `--solver`), `tolerance` (as `--tol`), "
            "`max_iterations`, `time_limit` and `threads` have options of their own; the others go "
            "by `--set NAME=VALUE`.\n\n"
            "| name | unit | default | range | used by | meaning |\n|---|---|---|---|---|---|\n";
    for (const auto& field : perp::capi::setting_fields)
        page << "| `" << field.name << "` | " << field.unit << " | " << default_of(field) << " | "
             << field.range << " | " << field.used_by << " | " << field.meaning << " |\n";
    page << "\nNames that stand for numbers:\n\n| setting | name | value |\n|---|---|---|\n";
    for (const auto& word : perp::capi::setting_words)
        page << "| `" << word.setting << "` | `" << word.text << "` | " << word.value << " |\n";
    page << "\nA value out of range is refused by `PERP_BAD_SETTING`, and all settings stay what "
            "they were.\n";
    return page.str();
}

// PERP_RENEW_MANUAL=1 in the environment: writes the page instead.
TEST_F(Manual, SettingsAreThoseOfTheTable) {
    const fs::path page = source / "capi" / "manual" / "settings.md";
    if (std::getenv("PERP_RENEW_MANUAL") != nullptr) std::ofstream(page) << settings_page();
    EXPECT_EQ(contents(page), settings_page());
}

// Every member of the struct has its row, and every row is a member of its own.
TEST_F(Manual, TheTableHasEverySetting) {
    perp_settings settings{};
    std::set<const void*> members;
    for (const auto& field : perp::capi::setting_fields)
        members.insert(field.real != nullptr
                           ? static_cast<const void*>(&(settings.*field.real))
                           : static_cast<const void*>(&(settings.*field.integer)));
    EXPECT_EQ(members.size(), std::size(perp::capi::setting_fields));
    EXPECT_EQ(members.size() * 8 + sizeof settings.struct_size, sizeof settings);
}

// ------------------------------------------------------------------ the readers themselves

TEST(ManualReaders, BlocksAreFound) {
    const std::vector<Block> blocks = blocks_of(
        "text\n<!-- file: a.c -->\n```c\nint a;\n\n```\n```\nno name\n```\n<!-- output: p -->\n| "
        "table |\n");
    ASSERT_EQ(blocks.size(), 3u);
    EXPECT_EQ(blocks[0].kind, "file");
    EXPECT_EQ(blocks[0].name, "a.c");
    EXPECT_EQ(blocks[0].text, "int a;\n\n");
    EXPECT_TRUE(blocks[1].fenced);
    EXPECT_EQ(blocks[1].kind, "");
    EXPECT_EQ(blocks[2].name, "p");
    EXPECT_FALSE(blocks[2].fenced);
}

TEST(ManualReaders, PartsAreLinesInARowThatMayBeIndented) {
    const std::string file = "a\n    b {\n        c\n    }\nd\n";
    EXPECT_TRUE(is_part("b {\n    c\n", file));
    EXPECT_TRUE(is_part("a\n...\nd\n", file));
    EXPECT_FALSE(is_part("a\nd\n", file));
    EXPECT_FALSE(is_part("b {\nc\n", file));
    EXPECT_FALSE(is_part("d\n...\na\n", file));
    EXPECT_FALSE(is_part("", file));
}

TEST(ManualReaders, NumbersLinksAndAnchors) {
    EXPECT_EQ(without_numbers("eta  1.5e-04 <=\n x2"), without_numbers("eta 9e+1   <= x37"));
    EXPECT_NE(without_numbers("solved 1"), without_numbers("stalled 1"));
    EXPECT_EQ(links_of("[a](b.md#c) ![d](e.svg)\n```\n[x](y)\n```\n"),
              (std::vector<std::string>{"b.md#c", "e.svg"}));
    EXPECT_EQ(anchors_of("# Is it? The `x` η\n```\n# no\n```\n## A, b\n"),
              (std::set<std::string>{"is-it-the-x-η", "a-b"}));
}

}  // namespace
}  // namespace perp_test
