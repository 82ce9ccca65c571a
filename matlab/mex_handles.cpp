#include "mex_handles.hpp"

#include <chrono>
#include <unordered_map>
#include <utility>

namespace perp_mex {

namespace {

struct Table {
    std::unordered_map<std::uint64_t, std::shared_ptr<Held>> held;
    int calls = 0;
    bool locked = false;
    // Not 1: a number from before the MEX file was loaded again should not be one of now.
    std::uint64_t next =
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count())
        << 8;
};

Table& table() {
    static Table the_table;
    return the_table;
}

// 0, which no object has, where it is no number of ours.
std::uint64_t number(const Argument& argument) {
    if (argument.array == nullptr || !mxIsUint64(argument.array) ||
        mxGetNumberOfElements(argument.array) != 1 || mxIsComplex(argument.array))
        return 0;
    return mxGetUint64s(argument.array)[0];
}

}  // namespace

mxArray* hold(std::shared_ptr<Held> held) {
    Table& t = table();
    mxArray* const result = mxCreateNumericMatrix(1, 1, mxUINT64_CLASS, mxREAL);
    t.held.emplace(++t.next, std::move(held));
    mxGetUint64s(result)[0] = t.next;
    return result;
}

const std::shared_ptr<Held>& find_held(const Argument& argument) {
    const auto found = table().held.find(number(argument));
    if (found == table().held.end())
        refuse("perp:badHandle",
               std::string(argument.name) + " is no object of perp, or was deleted");
    return found->second;
}

void release(const Argument& argument) { table().held.erase(number(argument)); }

void release_all() noexcept { table().held.clear(); }

std::int64_t count_held() noexcept { return static_cast<std::int64_t>(table().held.size()); }

GatewayCall::GatewayCall() noexcept { ++table().calls; }

GatewayCall::~GatewayCall() {
    Table& t = table();
    if (--t.calls > 0 || t.locked == !t.held.empty()) return;
    t.locked = !t.held.empty();
    if (t.locked) {
        mexLock();
    } else {
        mexUnlock();
    }
}

}  // namespace perp_mex
