#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace shop {

struct Entry {
    std::string account;
    long minorUnits;
};

class Ledger {
public:
    explicit Ledger(std::vector<Entry> entries) : entries_(std::move(entries)) {}
    double balanceOf(const std::string &account) const;

private:
    std::vector<Entry> entries_;
};

constexpr std::size_t mostEntries = 500;

/// What the invoice of all amounts comes to.
double invoiceOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the refund of all amounts comes to.
double refundOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the discount of all amounts comes to.
double discountOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the shipping of all amounts comes to.
double shippingOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the tax of all amounts comes to.
double taxOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the coupon of all amounts comes to.
double couponOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the bundle of all amounts comes to.
double bundleOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the voucher of all amounts comes to.
double voucherOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the deposit of all amounts comes to.
double depositOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the surcharge of all amounts comes to.
double surchargeOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the handling of all amounts comes to.
double handlingOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// The balance of an account in whole units.
double Ledger::balanceOf(const std::string &account) const
{
    if (entries_.size() > mostEntries) throw std::length_error("too many entries");
    long units = 0;
    for (const Entry &entry : entries_) {
        if (entry.account == account) units += entry.minorUnits;
    }
    return std::nearbyint(static_cast<double>(units) / 100);
}

/// What the insurance of all amounts comes to.
double insuranceOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the packaging of all amounts comes to.
double packagingOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the pickup of all amounts comes to.
double pickupOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the gift of all amounts comes to.
double giftOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the loyalty of all amounts comes to.
double loyaltyOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

/// What the rebate of all amounts comes to.
double rebateOf(const std::vector<double> &amounts, double share)
{
    double sum = 0;
    for (double amount : amounts) {
        if (amount < 0) continue;
        sum += amount * share;
    }
    return sum;
}

} // namespace shop
