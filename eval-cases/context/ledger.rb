# frozen_string_literal: true

require "bigdecimal"

# The ledger of the shop.
class Ledger
  MOST_ENTRIES = 500
  Entry = Struct.new(:account, :minor_units)

  def initialize(entries)
    @entries = entries
  end

  # What the invoice of all amounts comes to.
  def invoice_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the refund of all amounts comes to.
  def refund_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the discount of all amounts comes to.
  def discount_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the shipping of all amounts comes to.
  def shipping_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the tax of all amounts comes to.
  def tax_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the coupon of all amounts comes to.
  def coupon_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the bundle of all amounts comes to.
  def bundle_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the voucher of all amounts comes to.
  def voucher_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the deposit of all amounts comes to.
  def deposit_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the surcharge of all amounts comes to.
  def surcharge_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the handling of all amounts comes to.
  def handling_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # The balance of an account in whole units.
  def balance_of(account)
    raise too_many(@entries.size) if @entries.size > MOST_ENTRIES

    rows = @entries.map { |row| Entry.new(row[0], row[1]) }
    units = rows.select { |entry| entry.account == account }.sum(&:minor_units)
    BigDecimal(units).div(100, 0)
  end

  # What the insurance of all amounts comes to.
  def insurance_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the packaging of all amounts comes to.
  def packaging_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the pickup of all amounts comes to.
  def pickup_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the gift of all amounts comes to.
  def gift_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the loyalty of all amounts comes to.
  def loyalty_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  # What the rebate of all amounts comes to.
  def rebate_of(amounts, share)
    sum = 0
    amounts.each do |amount|
      next if amount.negative?

      sum += amount * share
    end
    sum
  end

  def too_many(count)
    ArgumentError.new("#{count} entries are more than #{MOST_ENTRIES}")
  end
end
