#include "csv.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace perp::tool {
namespace {

class Reader {
public:
    Reader(const std::string& path, const std::string& text) : path_(path), text_(text) {}

    [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
    [[nodiscard]] std::size_t line() const { return line_; }

    std::vector<std::string> record() {
        std::vector<std::string> cells(1);
        while (!at_end()) {
            const char c = text_[at_++];
            if (c == ',') {
                cells.emplace_back();
            } else if (c == '\n') {
                ++line_;
                break;
            } else if (c == '"' && cells.back().empty()) {
                cells.back() = quoted();
            } else if (c != '\r' || (!at_end() && text_[at_] != '\n')) {
                cells.back() += c;
            }
        }
        return cells;
    }

private:
    std::string quoted() {
        const std::size_t begin = line_;
        std::string cell;
        while (!at_end()) {
            const char c = text_[at_++];
            if (c == '\n') ++line_;
            if (c == '"') {
                if (at_end() || text_[at_] != '"') return cell;
                ++at_;
            }
            cell += c;
        }
        throw std::runtime_error(path_ + ": line " + std::to_string(begin) +
                                 ": the quotation mark is not closed");
    }

    const std::string& path_;
    const std::string& text_;
    std::size_t at_ = 0, line_ = 1;
};

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        if (k > 0) line += ',';
        if (cells[k].find_first_of(",\"\r\n") == std::string::npos) {
            line += cells[k];
            continue;
        }
        line += '"';
        for (const char c : cells[k]) line += c == '"' ? std::string("\"\"") : std::string(1, c);
        line += '"';
    }
    return line + "\n";
}

std::size_t CsvTable::column(const std::string& name) const {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
    throw std::runtime_error(path + ": there is no column \"" + name + "\"");
}

CsvTable parse_csv(const std::string& path, const std::string& text) {
    Reader reader(path, text);
    CsvTable table{path, reader.record(), {}, {}};
    while (!reader.at_end()) {
        const std::size_t line = reader.line();
        std::vector<std::string> cells = reader.record();
        if (cells.size() == 1 && cells.front().empty()) continue;
        if (cells.size() != table.header.size()) {
            throw std::runtime_error(path + ": line " + std::to_string(line) + " has " +
                                     std::to_string(cells.size()) + " cells, the header has " +
                                     std::to_string(table.header.size()));
        }
        table.records.push_back(std::move(cells));
        table.lines.push_back(line);
    }
    return table;
}

CsvTable read_csv(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in.is_open() || in.bad()) throw std::runtime_error(path + ": cannot be read");
    return parse_csv(path, text);
}

}  // namespace perp::tool
