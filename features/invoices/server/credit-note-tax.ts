type TaxedSale = { total_cents: number; tax_cents: number }

/**
 * The GST in part of a sale, in cents; half a cent is rounded up. The invoice's GST rate applies, even if the legal rate
 * has changed since.
 */
const proportionalTax = ({ total_cents: total, tax_cents: tax }: TaxedSale, cents: number): number =>
  Math.floor((2 * tax * cents + total) / (2 * total))

/**
 * The GST on a credit note for `amount` cents, when `left` cents of the sale have not been credited yet. It is the GST on the uncredited
 * part before the note, minus the GST on the uncredited part after it, so that all credit notes add up to the sale's exact GST.
 * @throws RangeError when the amount is not positive or exceeds `left`
 */
export function creditNoteTax(sale: TaxedSale, { left, amount }: { left: number; amount: number }): number {
  if (amount <= 0 || amount > left || left > sale.total_cents)
    throw new RangeError(`${amount} cents of ${left} of a sale of ${sale.total_cents} cannot be credited`)
  return proportionalTax(sale, left) - proportionalTax(sale, left - amount)
}
