package shop;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** The ledger of the shop. */
public class Ledger {
  public record Entry(String account, long minorUnits) {}

  private static final int MOST_ENTRIES = 500;
  private final List<Entry> entries;

  public Ledger(List<Entry> entries) {
    this.entries = entries;
  }

  /** What the invoice of all amounts comes to. */
  public BigDecimal invoiceOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the refund of all amounts comes to. */
  public BigDecimal refundOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the discount of all amounts comes to. */
  public BigDecimal discountOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the shipping of all amounts comes to. */
  public BigDecimal shippingOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the tax of all amounts comes to. */
  public BigDecimal taxOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the coupon of all amounts comes to. */
  public BigDecimal couponOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the bundle of all amounts comes to. */
  public BigDecimal bundleOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the voucher of all amounts comes to. */
  public BigDecimal voucherOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the deposit of all amounts comes to. */
  public BigDecimal depositOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the surcharge of all amounts comes to. */
  public BigDecimal surchargeOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the handling of all amounts comes to. */
  public BigDecimal handlingOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** The balance of an account in whole units. */
  public BigDecimal balanceOf(String account) {
    if (entries.size() > MOST_ENTRIES) throw tooMany(entries.size());
    long units = 0;
    for (Entry entry : entries) {
      if (entry.account().equals(account)) units += entry.minorUnits();
    }
    return BigDecimal.valueOf(units, 2).setScale(0, RoundingMode.HALF_EVEN);
  }

  /** What the insurance of all amounts comes to. */
  public BigDecimal insuranceOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the packaging of all amounts comes to. */
  public BigDecimal packagingOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the pickup of all amounts comes to. */
  public BigDecimal pickupOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the gift of all amounts comes to. */
  public BigDecimal giftOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the loyalty of all amounts comes to. */
  public BigDecimal loyaltyOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  /** What the rebate of all amounts comes to. */
  public BigDecimal rebateOf(List<BigDecimal> amounts, BigDecimal share) {
    BigDecimal sum = BigDecimal.ZERO;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) continue;
      sum = sum.add(amount.multiply(share));
    }
    return sum;
  }

  private static IllegalStateException tooMany(int count) {
    return new IllegalStateException(count + " entries are more than " + MOST_ENTRIES);
  }
}
