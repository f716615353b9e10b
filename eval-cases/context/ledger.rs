use std::collections::HashMap;
use std::fmt;

/// One line of the ledger, in the smallest unit of the currency.
pub struct Entry {
    pub account: String,
    pub minor_units: i64,
}

pub struct Ledger {
    entries: Vec<Entry>,
}

#[derive(Debug)]
pub struct TooMany(usize);

const MOST_ENTRIES: usize = 500;

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} entries are too many", self.0)
    }
}

impl Ledger {
    /// What the invoice of all amounts comes to.
    pub fn invoice_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the refund of all amounts comes to.
    pub fn refund_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the discount of all amounts comes to.
    pub fn discount_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the shipping of all amounts comes to.
    pub fn shipping_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the tax of all amounts comes to.
    pub fn tax_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the coupon of all amounts comes to.
    pub fn coupon_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the bundle of all amounts comes to.
    pub fn bundle_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the voucher of all amounts comes to.
    pub fn voucher_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the deposit of all amounts comes to.
    pub fn deposit_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the surcharge of all amounts comes to.
    pub fn surcharge_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the handling of all amounts comes to.
    pub fn handling_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// The balance of each account in whole units.
    pub fn balances(&self) -> Result<HashMap<String, i64>, TooMany> {
        if self.entries.len() > MOST_ENTRIES {
            return Err(TooMany(self.entries.len()));
        }
        let mut sums = HashMap::new();
        for entry in &self.entries {
            *sums.entry(entry.account.clone()).or_insert(0) += entry.minor_units;
        }
        Ok(sums.into_iter().map(|(name, units)| (name, whole(units))).collect())
    }

    /// What the insurance of all amounts comes to.
    pub fn insurance_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the packaging of all amounts comes to.
    pub fn packaging_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the pickup of all amounts comes to.
    pub fn pickup_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the gift of all amounts comes to.
    pub fn gift_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the loyalty of all amounts comes to.
    pub fn loyalty_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

    /// What the rebate of all amounts comes to.
    pub fn rebate_of(&self, amounts: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for amount in amounts {
            if *amount < 0.0 {
                continue;
            }
            sum += amount * share;
        }
        sum
    }

}

fn whole(units: i64) -> i64 {
    units.div_euclid(100)
}
