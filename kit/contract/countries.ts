import type { Market } from './bootstrap.ts'

/** The countries that every plan's standard calls and texts cover (specification, section 1), with the customer's own country first. */
export const getCoveredCountries = ({ code }: Pick<Market, 'code'>): string =>
  code === 'NZ' ? 'New Zealand and Australia' : 'Australia and New Zealand'
