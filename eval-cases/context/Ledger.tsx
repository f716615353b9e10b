import { useMemo } from "react";
import { formatMoney } from "./format-money.ts";

export interface LedgerProps {
  readonly entries: readonly { account: string; minorUnits: number }[];
  readonly account: string;
}

const mostEntries = 500;

/** Shows the invoice of an account. */
export function InvoiceLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="invoice">{formatMoney(sum)}</p>;
}

/** Shows the refund of an account. */
export function RefundLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="refund">{formatMoney(sum)}</p>;
}

/** Shows the discount of an account. */
export function DiscountLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="discount">{formatMoney(sum)}</p>;
}

/** Shows the shipping of an account. */
export function ShippingLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="shipping">{formatMoney(sum)}</p>;
}

/** Shows the tax of an account. */
export function TaxLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="tax">{formatMoney(sum)}</p>;
}

/** Shows the coupon of an account. */
export function CouponLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="coupon">{formatMoney(sum)}</p>;
}

/** Shows the bundle of an account. */
export function BundleLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="bundle">{formatMoney(sum)}</p>;
}

/** Shows the voucher of an account. */
export function VoucherLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="voucher">{formatMoney(sum)}</p>;
}

/** Shows the deposit of an account. */
export function DepositLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="deposit">{formatMoney(sum)}</p>;
}

/** Shows the surcharge of an account. */
export function SurchargeLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="surcharge">{formatMoney(sum)}</p>;
}

/** Shows the handling of an account. */
export function HandlingLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="handling">{formatMoney(sum)}</p>;
}

/** Shows the balance of an account. */
export function Balance({ entries, account }: LedgerProps) {
  const own = useMemo(() => entries.filter((entry) => entry.account === account), [entries]);
  if (own.length > mostEntries) return <TooMany count={own.length} />;
  return <p className="balance">{formatMoney(own.reduce((sum, one) => sum + one.minorUnits, 0))}</p>;
}

/** Shows the insurance of an account. */
export function InsuranceLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="insurance">{formatMoney(sum)}</p>;
}

/** Shows the packaging of an account. */
export function PackagingLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="packaging">{formatMoney(sum)}</p>;
}

/** Shows the pickup of an account. */
export function PickupLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="pickup">{formatMoney(sum)}</p>;
}

/** Shows the gift of an account. */
export function GiftLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="gift">{formatMoney(sum)}</p>;
}

/** Shows the loyalty of an account. */
export function LoyaltyLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="loyalty">{formatMoney(sum)}</p>;
}

/** Shows the rebate of an account. */
export function RebateLine({ amounts }: { amounts: readonly number[] }) {
  let sum = 0;
  for (const amount of amounts) {
    if (amount < 0) continue;
    sum += amount;
  }
  return <p className="rebate">{formatMoney(sum)}</p>;
}

function TooMany({ count }: { count: number }) {
  return <p role="alert">{count} entries are too many.</p>;
}
