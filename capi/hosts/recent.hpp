// Islands of an engine come back from step to step in any order: what was made for them is kept,
// the latest first, and found by its pattern.
#ifndef PERP_HOSTS_RECENT_HPP
#define PERP_HOSTS_RECENT_HPP

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace perp {
namespace hosts {

template <class Item>
class Recent {
public:
    // The latest item for which fits(item) holds, or a new one: Item(). It is the latest then.
    template <class Fits>
    Item& find(Fits&& fits) {
        auto at = std::find_if(items_.begin(), items_.end(),
                               [&fits](const std::unique_ptr<Item>& item) { return fits(*item); });
        if (at == items_.end()) {
            if (items_.size() == most) items_.pop_back();
            at = items_.insert(items_.end(), std::make_unique<Item>());
        }
        std::rotate(items_.begin(), at, at + 1);
        return *items_.front();
    }
    // The latest is not to be used again.
    void forget_latest() {
        if (!items_.empty()) items_.erase(items_.begin());
    }

private:
    static constexpr std::size_t most = 64;
    std::vector<std::unique_ptr<Item>> items_;
};

}  // namespace hosts
}  // namespace perp

#endif  // PERP_HOSTS_RECENT_HPP
