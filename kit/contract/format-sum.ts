import { formatPrice } from './money.ts'

export const formatSum = (cents: number): string => formatPrice(cents).replace(/\d(?=(\d{3}){1,4}\.)/g, '$&,')
