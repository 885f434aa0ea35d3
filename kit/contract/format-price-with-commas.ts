import { formatPrice } from './money.ts'

export const formatPriceWithCommas = (cents: number): string =>
  formatPrice(cents).replace(/\d(?=(\d{3}){1,4}\.)/g, '$&,')
