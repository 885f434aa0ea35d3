/**
 * Converts integer cents to a decimal string: 3990 is `'39.90'`.
 * @throws RangeError for anything but whole cents
 */
export function toWireAmount(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${cents} is not a whole number of cents`)
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Converts a decimal string to integer cents.
 * @throws RangeError unless it has exactly two decimals
 */
export function fromWireAmount(amount: string): number {
  const cents = /^-?\d+\.\d{2}$/.test(amount) ? Number(amount.replace('.', '')) : Number.NaN
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${JSON.stringify(amount)} is not an amount of money`)
  return cents === 0 ? 0 : cents
}

export function formatPrice(cents: number): string {
  const amount = toWireAmount(Math.abs(cents))
  return cents < 0 ? `-$${amount}` : `$${amount}`
}

/**
 * Returns the GST inside an inclusive price, in cents, with half a cent rounded up. A credit's GST is the negative of its invoice's GST, so
 * that the two cancel out.
 * @param part `[3, 23]` in New Zealand, `[1, 11]` in Australia: the rate over one plus the rate
 */
export function gstOf(cents: number, [numerator, denominator]: readonly [number, number]): number {
  const gst = Math.floor((2 * Math.abs(cents) * numerator + denominator) / (2 * denominator))
  return cents < 0 && gst > 0 ? -gst : gst
}
