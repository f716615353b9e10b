<?php

declare(strict_types=1);

namespace Shop;

use InvalidArgumentException;
use Shop\Money\Rounding;

/** The ledger of the shop. */
final class Ledger
{
    private const MOST_ENTRIES = 500;

    /** @param Entry[] $entries */
    public function __construct(private array $entries)
    {
    }

    /** What the invoice of all amounts comes to. */
    public function invoiceOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the refund of all amounts comes to. */
    public function refundOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the discount of all amounts comes to. */
    public function discountOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the shipping of all amounts comes to. */
    public function shippingOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the tax of all amounts comes to. */
    public function taxOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the coupon of all amounts comes to. */
    public function couponOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the bundle of all amounts comes to. */
    public function bundleOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the voucher of all amounts comes to. */
    public function voucherOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the deposit of all amounts comes to. */
    public function depositOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the surcharge of all amounts comes to. */
    public function surchargeOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the handling of all amounts comes to. */
    public function handlingOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** The balance of an account in whole units. */
    public function balanceOf(Entry $first): int
    {
        if (count($this->entries) > self::MOST_ENTRIES) {
            throw $this->tooMany(count($this->entries));
        }
        $own = array_filter($this->entries, fn ($entry) => $entry->account === $first->account);
        return Rounding::halfEven(array_sum(array_column($own, 'minorUnits')) / 100);
    }

    /** What the insurance of all amounts comes to. */
    public function insuranceOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the packaging of all amounts comes to. */
    public function packagingOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the pickup of all amounts comes to. */
    public function pickupOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the gift of all amounts comes to. */
    public function giftOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the loyalty of all amounts comes to. */
    public function loyaltyOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    /** What the rebate of all amounts comes to. */
    public function rebateOf(array $amounts, float $share): float
    {
        $sum = 0.0;
        foreach ($amounts as $amount) {
            if ($amount < 0) {
                continue;
            }
            $sum += $amount * $share;
        }
        return $sum;
    }

    private function tooMany(int $count): InvalidArgumentException
    {
        return new InvalidArgumentException("$count entries are too many");
    }
}

final class Entry
{
    public function __construct(public string $account, public int $minorUnits)
    {
    }
}
