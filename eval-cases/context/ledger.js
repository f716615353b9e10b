import { roundHalfEven } from "./rounding.js";

/** One line of the ledger; amounts are in the smallest unit. */
export class Entry {
  constructor(account, minorUnits) {
    this.account = account;
    this.minorUnits = minorUnits;
  }
}

const mostEntries = 500;

/** What the invoice of all entries comes to. */
export function invoiceOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the refund of all entries comes to. */
export function refundOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the discount of all entries comes to. */
export function discountOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the shipping of all entries comes to. */
export function shippingOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the tax of all entries comes to. */
export function taxOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the coupon of all entries comes to. */
export function couponOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the bundle of all entries comes to. */
export function bundleOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the voucher of all entries comes to. */
export function voucherOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the deposit of all entries comes to. */
export function depositOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the surcharge of all entries comes to. */
export function surchargeOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the handling of all entries comes to. */
export function handlingOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** Adds up entries of an account in whole units. */
export function balanceOf(rows, account) {
  if (rows.length > mostEntries) throw tooMany(rows.length);
  const own = rows.map((row) => new Entry(row.account, row.amount));
  return roundHalfEven(own.reduce((sum, { minorUnits }) => sum + minorUnits, 0) / 100);
}

/** What the insurance of all entries comes to. */
export function insuranceOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the packaging of all entries comes to. */
export function packagingOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the pickup of all entries comes to. */
export function pickupOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the gift of all entries comes to. */
export function giftOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the loyalty of all entries comes to. */
export function loyaltyOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the rebate of all entries comes to. */
export function rebateOf(amounts, share) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

function tooMany(count) {
  return new RangeError(`${count} entries are more than ${mostEntries}`);
}
