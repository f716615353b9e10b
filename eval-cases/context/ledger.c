#include <math.h>
#include <stddef.h>
#include <string.h>

#define MOST_NAME 64

typedef struct {
    char account[MOST_NAME];
    long minor_units;
} entry;

static const size_t most_entries = 500;

static double whole(long units);

/* What the invoice of all amounts comes to. */
double invoice_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the refund of all amounts comes to. */
double refund_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the discount of all amounts comes to. */
double discount_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the shipping of all amounts comes to. */
double shipping_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the tax of all amounts comes to. */
double tax_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the coupon of all amounts comes to. */
double coupon_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the bundle of all amounts comes to. */
double bundle_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the voucher of all amounts comes to. */
double voucher_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the deposit of all amounts comes to. */
double deposit_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the surcharge of all amounts comes to. */
double surcharge_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the handling of all amounts comes to. */
double handling_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* The balance of an account in whole units. */
double balance_of(const entry *entries, size_t count, const char *account)
{
    long units = 0;
    if (count > most_entries)
        return NAN;
    for (size_t at = 0; at < count; at++) {
        if (strncmp(entries[at].account, account, sizeof entries[at].account) == 0)
            units += entries[at].minor_units;
    }
    return whole(units);
}

/* What the insurance of all amounts comes to. */
double insurance_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the packaging of all amounts comes to. */
double packaging_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the pickup of all amounts comes to. */
double pickup_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the gift of all amounts comes to. */
double gift_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the loyalty of all amounts comes to. */
double loyalty_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

/* What the rebate of all amounts comes to. */
double rebate_of(const double *amounts, size_t count, double share)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        if (amounts[at] < 0)
            continue;
        sum += amounts[at] * share;
    }
    return sum;
}

static double whole(long units)
{
    return rint(units / 100.0);
}
