/**
 * Converts integer cents to a decimal string: 3990 is `'39.90'`.
 * @throws RangeError if `cents` is not a whole number
 */
export function centsToDecimal(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${cents} is not a whole number of cents`)
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Converts a decimal string to integer cents.
 * @throws RangeError unless the string has exactly two decimal places
 */
export function decimalToCents(amount: string): number {
  const cents = /^-?\d+\.\d{2}$/.test(amount) ? Number(amount.replace('.', '')) : Number.NaN
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${JSON.stringify(amount)} is not an amount of money`)
  return cents === 0 ? 0 : cents
}

export function formatPrice(cents: number): string {
  const amount = centsToDecimal(Math.abs(cents))
  return cents < 0 ? `-$${amount}` : `$${amount}`
}

/**
 * Returns the GST included in a price, in cents, rounding half a cent up. The GST on a credit is the negative of the GST on its invoice, so
 * the two cancel out.
 * @param part the rate divided by one plus the rate: `[3, 23]` in New Zealand, `[1, 11]` in Australia
 */
export function gstOf(cents: number, [numerator, denominator]: readonly [number, number]): number {
  const gst = Math.floor((2 * Math.abs(cents) * numerator + denominator) / (2 * denominator))
  return cents < 0 && gst > 0 ? -gst : gst
}
