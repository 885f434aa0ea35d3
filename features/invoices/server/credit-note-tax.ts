type TaxedSale = { total_cents: number; tax_cents: number }

/**
 * The GST in a part of a sale, in cents, with half a cent rounded up. The rate is that of the invoice, even if the
 * legal rate has changed since.
 */
const proportionalTax = ({ total_cents: total, tax_cents: tax }: TaxedSale, cents: number): number =>
  Math.floor((2 * tax * cents + total) / (2 * total))

/**
 * The GST of a credit note of `amount` cents, when `left` cents of the sale have not been credited yet. The result is
 * the GST of the uncredited part before the note minus the GST after it, so that the credit notes of a sale add up to
 * its exact GST.
 * @throws RangeError when the amount exceeds the part that is left
 */
export function creditNoteTax(sale: TaxedSale, { left, amount }: { left: number; amount: number }): number {
  if (amount <= 0 || amount > left || left > sale.total_cents)
    throw new RangeError(`${amount} cents of ${left} of a sale of ${sale.total_cents} cannot be credited`)
  return proportionalTax(sale, left) - proportionalTax(sale, left - amount)
}
