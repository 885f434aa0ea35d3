import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fantailProvider, fantailFolder } from './provider.ts'

type FictionalPlan = {
  unique_id: string
  title: string
  length_days: number
  price_cents: number
  data_gb: number
  free?: true
}

const keaPlans: FictionalPlan[] = [
  { unique_id: 'egg', title: 'Egg', length_days: 3, price_cents: 450, data_gb: 0.4 },
  { unique_id: 'nest', title: 'Nest', length_days: 28, price_cents: 1750, data_gb: 8 },
  { unique_id: 'flock', title: 'Flock', length_days: 28, price_cents: 3300, data_gb: 40 },
  { unique_id: 'summit', title: 'Summit', length_days: 120, price_cents: 9900, data_gb: 20 },
  { unique_id: 'gift', title: 'Gift', length_days: 28, price_cents: 0, data_gb: 1, free: true },
]

/** Creates the folder of a made-up provider, whose brand and plans differ from those of the sample folders. The caller removes it. */
export function createKeaProvider(plans = keaPlans): string {
  const folder = mkdtempSync(join(tmpdir(), 'kea-provider-'))
  cpSync(fantailFolder, folder, { recursive: true })
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(content).replaceAll(/fantail/gi, 'Kea'))
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  write('brand.json', { ...read('brand.json'), name: 'Kea & Co', short_name: 'Kea', order_prefix: 'KEA' })
  write('layout.json', read('layout.json'))
  const base = fantailProvider.catalogue.products.find(({ product_type }) => product_type === 1)!
  const commonFields = { ...base, rrp_cents: null, price_rebill_cents: null, next_product_id: null, hidden: false }
  write(
    'plans.json',
    plans.map((plan, at) => ({ ...commonFields, sku: `KEA-${at}`, code: `K${at}`, sort_order: at, ...plan })),
  )
  write('add-ons.json', [])
  write(
    'filters.json',
    [...new Set(plans.map((plan) => plan.length_days))].map((length, at) => ({
      position: 20 * at,
      length,
      unit: 'days',
      promo_text: null,
    })),
  )
  return folder
}
