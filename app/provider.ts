import type { Brand, Layout, Market } from '#kit/contract/bootstrap.ts'
import type { Issuer } from '#features/invoices/server/invoices.store.ts'
import { loadCatalogue } from '#demo/catalogue.ts'

/** Who runs this portal: brand, invoice issuer, menus and texts. */
export function readProvider(market: Market): { brand: Brand; issuer: Issuer; layout: Layout } {
  return {
    brand: { name: 'Fantail Mobile', shortName: 'Fantail' },
    issuer: {
      name: 'Fantail Mobile Limited',
      tax_label: market.taxLabel,
      tax_number: market.code === 'NZ' ? '123-456-789' : '51 824 753 556',
      address: market.code === 'NZ' ? '1 Queen Street, Auckland 1010, New Zealand' : '1 George Street, Sydney NSW 2000, Australia',
    },
    layout: loadCatalogue().layout,
  }
}
