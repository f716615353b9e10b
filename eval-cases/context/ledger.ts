import { roundHalfEven } from "./rounding.ts";
import type { Currency } from "./currency.ts";

/** One line of the ledger. */
export interface Entry {
  readonly account: string;
  /** In the smallest unit of the currency. */
  readonly minorUnits: number;
  readonly currency: Currency;
}

const mostEntries = 500;

/** What the invoice of all entries comes to. */
export function invoiceOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the refund of all entries comes to. */
export function refundOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the discount of all entries comes to. */
export function discountOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the shipping of all entries comes to. */
export function shippingOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the tax of all entries comes to. */
export function taxOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the coupon of all entries comes to. */
export function couponOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the bundle of all entries comes to. */
export function bundleOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the voucher of all entries comes to. */
export function voucherOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the deposit of all entries comes to. */
export function depositOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the surcharge of all entries comes to. */
export function surchargeOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the handling of all entries comes to. */
export function handlingOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** The balance of an account in whole units. */
export function balanceOf(entries: readonly Entry[], account: string): number {
  if (entries.length > mostEntries) throw tooMany(entries.length);
  const own = entries.filter((entry) => entry.account === account);
  return roundHalfEven(own.reduce((sum, { minorUnits }) => sum + minorUnits, 0) / 100);
}

/** What the insurance of all entries comes to. */
export function insuranceOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the packaging of all entries comes to. */
export function packagingOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the pickup of all entries comes to. */
export function pickupOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the gift of all entries comes to. */
export function giftOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the loyalty of all entries comes to. */
export function loyaltyOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

/** What the rebate of all entries comes to. */
export function rebateOf(amounts: readonly number[], share: number): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount * share;
  }
  return sum;
}

function tooMany(count: number): RangeError {
  return new RangeError(`${count} entries are more than ${mostEntries}`);
}
