"""The ledger of the shop."""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

MOST_ENTRIES = 500


@dataclass(frozen=True)
class Entry:
    account: str
    minor_units: int
    currency: str


def invoice_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the invoice of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def refund_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the refund of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def discount_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the discount of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def shipping_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the shipping of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def tax_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the tax of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def coupon_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the coupon of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def bundle_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the bundle of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def voucher_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the voucher of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def deposit_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the deposit of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def surcharge_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the surcharge of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def handling_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the handling of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def balance_of(entries: list[Entry], account: str) -> Decimal:
    """The balance of an account in whole units."""
    if len(entries) > MOST_ENTRIES:
        raise too_many(len(entries))
    units = sum(entry.minor_units for entry in entries if entry.account == account)
    return (Decimal(units) / 100).quantize(Decimal(1), ROUND_HALF_EVEN)


def insurance_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the insurance of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def packaging_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the packaging of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def pickup_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the pickup of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def gift_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the gift of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def loyalty_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the loyalty of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def rebate_of(amounts: list[Decimal], share: Decimal) -> Decimal:
    """What the rebate of all entries comes to."""
    total = Decimal(0)
    for amount in amounts:
        if amount < 0:
            continue
        total += amount * share
    return total


def too_many(count: int) -> ValueError:
    return ValueError(f"{count} entries are more than {MOST_ENTRIES}")
