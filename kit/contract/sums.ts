import { formatPrice } from './money.ts'

/** Formats integer cents with commas, for totals in the thousands: 4193040 is `'$41,930.40'`. A single price never needs commas. */
export const formatSum = (cents: number): string => formatPrice(cents).replace(/\d(?=(\d{3}){1,4}\.)/g, '$&,')
