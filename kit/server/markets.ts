import type { Market } from '../contract/bootstrap.ts'

export const markets: Record<Market['code'], Market> = {
  NZ: {
    code: 'NZ',
    zone: 'Pacific/Auckland',
    currency: 'NZD',
    phoneRegion: 'NZ',
    country: 'New Zealand',
    taxLabel: 'GST number',
    taxPart: [3, 23],
  },
  AU: {
    code: 'AU',
    zone: 'Australia/Sydney',
    currency: 'AUD',
    phoneRegion: 'AU',
    country: 'Australia',
    taxLabel: 'ABN',
    taxPart: [1, 11],
  },
}
