import type { Market } from './bootstrap.ts'

/** Where the standard calls and texts of every plan go (spec 1), the customer's own country first. */
export const bothCountries = ({ code }: Pick<Market, 'code'>): string =>
  code === 'NZ' ? 'New Zealand and Australia' : 'Australia and New Zealand'
