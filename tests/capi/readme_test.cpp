// What the README shows is what there is: programs are those of the files named, and what they are
// said to print is what they print.
#include <sstream>
#include <vector>

#include "tool_support.hpp"

namespace perp_test {
namespace {

struct Block {
    std::string kind, name;  // <!-- kind: name -->
    std::string text;        // between the fences that follow
};

// The marked blocks of a page; those that are no fenced text have none.
std::vector<Block> marked_blocks(const std::string& page) {
    std::vector<Block> blocks;
    std::istringstream lines(page);
    std::string line;
    while (std::getline(lines, line)) {
        const std::string open = "<!-- ", close = " -->";
        if (line.rfind(open, 0) != 0 || !contains(line, ": ") || !contains(line, close)) continue;
        const std::size_t colon = line.find(": ");
        Block block;
        block.kind = line.substr(open.size(), colon - open.size());
        block.name = line.substr(colon + 2, line.find(close) - colon - 2);
        if (std::getline(lines, line) && line.rfind("```", 0) == 0)
            while (std::getline(lines, line) && line.rfind("```", 0) != 0)
                block.text += line + "\n";
        blocks.push_back(block);
    }
    return blocks;
}

std::vector<Block> readme() {
    return marked_blocks(contents(fs::path(PERP_SOURCE_DIR) / "README.md"));
}

class Readme : public Tool {};

TEST_F(Readme, ProgramsAreThoseOfTheFiles) {
    int found = 0;
    for (const Block& block : readme()) {
        if (block.kind != "file") continue;
        ++found;
        EXPECT_EQ(block.text, contents(fs::path(PERP_SOURCE_DIR) / block.name)) << block.name;
    }
    EXPECT_GE(found, 2);
}

TEST_F(Readme, ProgramsPrintWhatItSays) {
    int found = 0;
    for (const Block& block : readme()) {
        const fs::path program = fs::path(PERP_TOOL).parent_path() / block.name;
        if (block.kind != "output" || block.name.rfind("example_", 0) != 0) continue;
        if (!fs::exists(program)) continue;  // Fortran, where there is no compiler
        ++found;
        const std::string printed = path("printed.txt");
        // The Fortran runtime is not for the address sanitizer's strict string checks.
        const std::string command = "cd '" + path("") +
                                    "' && ASAN_OPTIONS=\"$ASAN_OPTIONS:strict_string_checks=0\" '" +
                                    program.string() + "' > '" + printed + "'";
        EXPECT_EQ(std::system(command.c_str()), 0) << block.name;
        EXPECT_EQ(block.text, contents(printed)) << block.name;
    }
    EXPECT_GE(found, 2);
}

TEST_F(Readme, MarkedBlocksAreFound) {
    const std::vector<Block> blocks = marked_blocks(
        "text\n<!-- file: a.c -->\n```c\nint a;\n\n```\n<!-- output: p -->\n| table "
        "|\n```\nno\n```\n");
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks[0].kind, "file");
    EXPECT_EQ(blocks[0].name, "a.c");
    EXPECT_EQ(blocks[0].text, "int a;\n\n");
    EXPECT_EQ(blocks[1].name, "p");
    EXPECT_EQ(blocks[1].text, "");
}

}  // namespace
}  // namespace perp_test
