import type { SearchResults } from '../search.contract.ts'

export const noResultsText = ({ order_missing: isOrderMissing }: SearchResults): string =>
  isOrderMissing ? 'No order with this code.' : 'No results.'
