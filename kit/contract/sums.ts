import { formatPrice } from './money.ts'

/** Integer cents with commas, for what adds up to thousands: 4193040 is `'$41,930.40'`. A price by itself never does. */
export const formatSum = (cents: number): string => formatPrice(cents).replace(/\d(?=(\d{3}){1,4}\.)/g, '$&,')
