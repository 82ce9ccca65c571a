// Is a text well-formed XML? As much of it as charts and pages use: declaration, elements,
// attributes, entities, text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace perp_test {

class XmlReader {
public:
    explicit XmlReader(const std::string& text) : text_(text) {}

    // The first mistake; empty when there is none.
    std::string mistake() {
        std::size_t roots = 0;
        while (at_ < text_.size() && error_.empty()) {
            if (text_[at_] != '<') {
                characters("<");
                continue;
            }
            if (open_.empty() && text_.compare(at_, 2, "<?") != 0 &&
                text_.compare(at_, 2, "<!") != 0)
                ++roots;
            tag();
        }
        if (error_.empty() && !open_.empty()) fail("not closed: " + open_.back());
        if (error_.empty() && roots != 1) fail("not one root element");
        return error_;
    }

private:
    void fail(const std::string& what) {
        if (error_.empty()) error_ = what;
    }
    // Up to one of `ends`; every & must be an entity.
    void characters(const char* ends) {
        const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
        for (; at_ < end; ++at_) {
            const auto c = static_cast<unsigned char>(text_[at_]);
            if ((c < ' ' && c != '\n' && c != '\t' && c != '\r') || c > '~') fail("character");
            if (c == '<') fail("< in a value");
            if (c != '&') continue;
            const std::size_t semicolon = text_.find(';', at_);
            const std::set<std::string> known{"amp", "lt", "gt", "quot", "#39"};
            if (semicolon == std::string::npos ||
                known.count(text_.substr(at_ + 1, semicolon - at_ - 1)) == 0)
                fail("entity at " + text_.substr(at_, 10));
        }
    }
    std::string name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '-'))
            ++at_;
        if (at_ == begin) fail("no name at " + text_.substr(begin, 20));
        return text_.substr(begin, at_ - begin);
    }
    bool take(const std::string& token) {
        if (text_.compare(at_, token.size(), token) != 0) return false;
        at_ += token.size();
        return true;
    }
    void attributes() {
        std::set<std::string> seen;
        while (take(" ") && error_.empty()) {
            if (!seen.insert(name()).second) fail("attribute twice");
            if (!take("=\"")) fail("no value at " + text_.substr(at_, 20));
            characters("\"");
            if (!take("\"")) fail("value not closed");
        }
    }
    void tag() {
        if (take("<?xml") || take("<!DOCTYPE")) {
            at_ = std::min(text_.find('>', at_), text_.size() - 1) + 1;
        } else if (take("</")) {
            const std::string closed = name();
            if (open_.empty() || open_.back() != closed) fail("wrongly closed: " + closed);
            if (!open_.empty()) open_.pop_back();
            if (!take(">")) fail("no > after " + closed);
        } else {
            take("<");
            open_.push_back(name());
            attributes();
            if (take("/>")) {
                open_.pop_back();
            } else if (!take(">")) {
                fail("no > at " + text_.substr(at_, 20));
            }
        }
    }

    const std::string& text_;
    std::size_t at_ = 0;
    std::vector<std::string> open_;
    std::string error_;
};

inline void expect_xml(const std::string& text) {
    EXPECT_EQ(XmlReader(text).mistake(), "");
    EXPECT_FALSE(text.empty());
}

}  // namespace perp_test
