type Sale = { total_cents: number; tax_cents: number }

/** The GST in a part of a sale, in cents, half a cent rounded up: as its invoice has it, whatever the rate is by now. */
const taxIn = ({ total_cents: total, tax_cents: tax }: Sale, cents: number): number =>
  Math.floor((2 * tax * cents + total) / (2 * total))

/**
 * The GST of a credit note of `amount`, in cents, where `left` of its sale has not been credited yet: what that takes off the GST of
 * what is left. So the notes of a sale that is given back in parts add up to its GST to the cent.
 * @throws RangeError for more than is left
 */
export function taxOfCredit(sale: Sale, { left, amount }: { left: number; amount: number }): number {
  if (amount <= 0 || amount > left || left > sale.total_cents)
    throw new RangeError(`${amount} cents of ${left} of a sale of ${sale.total_cents} cannot be credited`)
  return taxIn(sale, left) - taxIn(sale, left - amount)
}
