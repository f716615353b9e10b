package ledger

import (
	"fmt"
	"math"
)

// Entry is one line of the ledger, in the smallest unit of the currency.
type Entry struct {
	Account    string
	MinorUnits int64
}

// Book holds entries.
type Book struct {
	entries []Entry
}

const mostEntries = 500

// InvoiceOf tells what the invoice of all entries comes to.
func (b *Book) InvoiceOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// RefundOf tells what the refund of all entries comes to.
func (b *Book) RefundOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// DiscountOf tells what the discount of all entries comes to.
func (b *Book) DiscountOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// ShippingOf tells what the shipping of all entries comes to.
func (b *Book) ShippingOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// TaxOf tells what the tax of all entries comes to.
func (b *Book) TaxOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// CouponOf tells what the coupon of all entries comes to.
func (b *Book) CouponOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// BundleOf tells what the bundle of all entries comes to.
func (b *Book) BundleOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// VoucherOf tells what the voucher of all entries comes to.
func (b *Book) VoucherOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// DepositOf tells what the deposit of all entries comes to.
func (b *Book) DepositOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// SurchargeOf tells what the surcharge of all entries comes to.
func (b *Book) SurchargeOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// HandlingOf tells what the handling of all entries comes to.
func (b *Book) HandlingOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// BalanceOf tells the balance of an account in whole units.
func (b *Book) BalanceOf(account string) (float64, error) {
	if len(b.entries) > mostEntries {
		return 0, tooMany(len(b.entries))
	}
	var sum int64
	for _, entry := range b.entries {
		if entry.Account == account {
			sum += entry.MinorUnits
		}
	}
	return math.RoundToEven(float64(sum) / 100), nil
}

// InsuranceOf tells what the insurance of all entries comes to.
func (b *Book) InsuranceOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// PackagingOf tells what the packaging of all entries comes to.
func (b *Book) PackagingOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// PickupOf tells what the pickup of all entries comes to.
func (b *Book) PickupOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// GiftOf tells what the gift of all entries comes to.
func (b *Book) GiftOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// LoyaltyOf tells what the loyalty of all entries comes to.
func (b *Book) LoyaltyOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

// RebateOf tells what the rebate of all entries comes to.
func (b *Book) RebateOf(share float64) float64 {
	sum := 0.0
	for _, amount := range b.amounts() {
		if amount < 0 {
			continue
		}
		sum += amount * share
	}
	return sum
}

func (b *Book) amounts() []float64 {
	return nil
}

func tooMany(count int) error {
	return fmt.Errorf("%d entries are more than %d", count, mostEntries)
}
