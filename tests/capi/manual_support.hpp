// Reading the Markdown of the README and the manual: marked blocks, links, anchors.
#pragma once

#include <cctype>
#include <cstddef>
#include <cstring>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace perp_test {

struct Block {
    std::string kind, name;  // <!-- kind: name --> in the line before; empty: there is none
    std::string text;        // between the fences
    bool fenced = false;     // false: a mark with something else behind it, such as a table
    int line = 0;
};

inline bool begins_with(const std::string& text, const std::string& part) {
    return text.rfind(part, 0) == 0;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

inline bool read_mark(const std::string& line, Block& block) {
    const std::string open = "<!-- ";
    const std::size_t colon = line.find(": "), close = line.find(" -->");
    if (!begins_with(line, open) || colon == std::string::npos || close == std::string::npos)
        return false;
    block.kind = line.substr(open.size(), colon - open.size());
    block.name = line.substr(colon + 2, close - colon - 2);
    return true;
}

inline std::vector<Block> blocks_of(const std::string& page) {
    std::vector<Block> blocks;
    const std::vector<std::string> lines = lines_of(page);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        Block block;
        const bool marked = read_mark(lines[i], block);
        if (marked) ++i;
        if (i < lines.size() && begins_with(lines[i], "```")) {
            block.fenced = true;
            block.line = static_cast<int>(i) + 1;
            while (++i < lines.size() && !begins_with(lines[i], "```"))
                block.text += lines[i] + "\n";
        }
        if (marked || block.fenced) blocks.push_back(block);
    }
    return blocks;
}

// Whether the lines of `piece` stand in a row in `lines` from `first` on, all indented by as much.
inline bool stands_at(const std::vector<std::string>& piece, const std::vector<std::string>& lines,
                      std::size_t first) {
    if (first + piece.size() > lines.size()) return false;
    std::string indent;
    for (std::size_t i = 0; i < piece.size(); ++i) {
        const std::string& line = lines[first + i];
        if (i == 0 && line.size() >= piece[0].size())
            indent = line.substr(0, line.size() - piece[0].size());
        if (indent.find_first_not_of(' ') != std::string::npos) return false;
        if (line != (piece[i].empty() ? piece[i] : indent + piece[i])) return false;
    }
    return true;
}

// Whether `text` is in `file`: lines in a row; "..." between two such pieces, in the file's order.
inline bool is_part(const std::string& text, const std::string& file) {
    const std::vector<std::string> lines = lines_of(file);
    std::vector<std::vector<std::string>> pieces(1);
    for (const std::string& line : lines_of(text)) {
        if (line == "...")
            pieces.emplace_back();
        else
            pieces.back().push_back(line);
    }
    std::size_t at = 0;
    for (const std::vector<std::string>& piece : pieces) {
        if (piece.empty()) return false;
        while (at < lines.size() && !stands_at(piece, lines, at)) ++at;
        if (at == lines.size()) return false;
        at += piece.size();
    }
    return true;
}

// Behind the number that begins at `at`: 12, 1.5, 3e-04. (g++ 12 warns of std::regex where it adds
// sanitizers.)
inline std::size_t end_of_number(const std::string& text, std::size_t at) {
    const auto digit = [&text](std::size_t i) {
        return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    };
    const auto skip = [&] {
        while (digit(at)) ++at;
    };
    skip();
    if (at < text.size() && text[at] == '.' && digit(at + 1)) {
        ++at;
        skip();
    }
    if (at < text.size() && text[at] == 'e') {
        const std::size_t sign = at + 1 < text.size() && std::strchr("+-", text[at + 1]) ? 1 : 0;
        if (digit(at + 1 + sign)) {
            at += 1 + sign;
            skip();
        }
    }
    return at;
}

// The words of a text, numbers in them replaced: what does not depend on times and iterations.
inline std::string without_numbers(const std::string& text) {
    std::string words;
    for (std::size_t i = 0; i < text.size();) {
        const auto code = static_cast<unsigned char>(text[i]);
        if (std::isdigit(code) != 0) {
            words += '#';
            i = end_of_number(text, i);
        } else {
            const bool space = std::isspace(code) != 0;
            if (!space || words.empty() || words.back() != ' ') words += space ? ' ' : text[i];
            ++i;
        }
    }
    return words;
}

// The page without its fenced blocks.
inline std::vector<std::string> prose_of(const std::string& page) {
    std::vector<std::string> prose;
    bool fenced = false;
    for (const std::string& line : lines_of(page)) {
        if (begins_with(line, "```"))
            fenced = !fenced;
        else if (!fenced)
            prose.push_back(line);
    }
    return prose;
}

// Targets of [text](target) and ![text](target).
inline std::vector<std::string> links_of(const std::string& page) {
    std::vector<std::string> links;
    for (const std::string& line : prose_of(page))
        for (std::size_t at = line.find("]("); at != std::string::npos;
             at = line.find("](", at + 1)) {
            const std::size_t end = line.find(')', at);
            if (end != std::string::npos) links.push_back(line.substr(at + 2, end - at - 2));
        }
    return links;
}

// The anchors that readers of Markdown give headings: lower case, words joined by dashes, and no
// other ASCII signs.
inline std::set<std::string> anchors_of(const std::string& page) {
    std::set<std::string> anchors;
    for (const std::string& line : prose_of(page)) {
        if (!begins_with(line, "#")) continue;
        std::string anchor;
        for (const char c : line.substr(line.find(' ') + 1)) {
            const auto code = static_cast<unsigned char>(c);
            if (c == ' ')
                anchor += '-';
            else if (code >= 128 || std::isalnum(code) != 0 || c == '-' || c == '_')
                anchor += static_cast<char>(code < 128 ? std::tolower(code) : c);
        }
        anchors.insert(anchor);
    }
    return anchors;
}

}  // namespace perp_test
