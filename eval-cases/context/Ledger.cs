using System;
using System.Collections.Generic;
using System.Linq;

namespace Shop.Books;

/// <summary>The ledger of the shop.</summary>
public sealed class Ledger
{
    private const int MostEntries = 500;
    private readonly List<Entry> entries;

    public Ledger(List<Entry> entries) => this.entries = entries;

    /// <summary>What the invoice of all amounts comes to.</summary>
    public decimal InvoiceOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the refund of all amounts comes to.</summary>
    public decimal RefundOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the discount of all amounts comes to.</summary>
    public decimal DiscountOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the shipping of all amounts comes to.</summary>
    public decimal ShippingOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the tax of all amounts comes to.</summary>
    public decimal TaxOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the coupon of all amounts comes to.</summary>
    public decimal CouponOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the bundle of all amounts comes to.</summary>
    public decimal BundleOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the voucher of all amounts comes to.</summary>
    public decimal VoucherOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the deposit of all amounts comes to.</summary>
    public decimal DepositOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the surcharge of all amounts comes to.</summary>
    public decimal SurchargeOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the handling of all amounts comes to.</summary>
    public decimal HandlingOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>The balance of an account in whole units.</summary>
    public decimal BalanceOf(string account)
    {
        if (entries.Count > MostEntries) throw TooMany(entries.Count);
        var own = entries.Where(entry => entry.Account == account);
        return Math.Round(own.Sum(entry => entry.MinorUnits) / 100m, MidpointRounding.ToEven);
    }

    /// <summary>What the insurance of all amounts comes to.</summary>
    public decimal InsuranceOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the packaging of all amounts comes to.</summary>
    public decimal PackagingOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the pickup of all amounts comes to.</summary>
    public decimal PickupOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the gift of all amounts comes to.</summary>
    public decimal GiftOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the loyalty of all amounts comes to.</summary>
    public decimal LoyaltyOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    /// <summary>What the rebate of all amounts comes to.</summary>
    public decimal RebateOf(IEnumerable<decimal> amounts, decimal share)
    {
        decimal sum = 0;
        foreach (var amount in amounts)
        {
            if (amount < 0) continue;
            sum += amount * share;
        }
        return sum;
    }

    private static InvalidOperationException TooMany(int count) =>
        new($"{count} entries are more than {MostEntries}");

    public sealed record Entry(string Account, long MinorUnits);
}
