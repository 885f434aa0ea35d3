import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sampleFolder = join(import.meta.dirname, '../../demo/providers/fantail')

export const trialPlanId = 'kea-28-days'

/** Values that the guide asks of the made-up provider, whose files are in the trial's folder. */
export const trialProviderValues = (folder: string) => ({
  MARKET: 'NZ',
  MAIL_FROM: 'Kea Talk <hello@example.nz>',
  SMS_SENDER: 'Kea Talk',
  OPERATOR_MAIL: 'operations@example.nz',
  // More SIM packs than the trial loads, so that a task is created.
  SIM_STOCK_LEVEL: '40',
  PROVIDER_FOLDER: join(folder, 'brand'),
  ADMIN_MAIL: 'jo@example.nz',
  ADMIN_NAME: 'Jo Tan',
  LEAD_MAIL: 'mere@example.nz',
  LEAD_NAME: 'Mere Ngata',
  VOUCHER_FILE: join(folder, 'vouchers.txt'),
  VOUCHER_PLAN: trialPlanId,
  SIM_FILE: join(folder, 'sims.csv'),
})

/**
 * Creates the folder of a made-up provider. Its brand, products, plan lengths and JSON formatting differ from those of the demo's
 * providers, so the guide cannot depend on them.
 */
export function createProviderFolder(folder: string): void {
  cpSync(sampleFolder, folder, { recursive: true })
  rmSync(join(folder, 'add-ons.AU.json'))
  rewriteJson(folder, 'brand.json', { name: 'Kea Talk', short_name: 'Kea' })
  rewriteJson(folder, 'layout.json', { copyright: '© Kea Talk Limited' })
  writeJson(folder, 'plans.json', [
    buildProduct({ unique_id: trialPlanId, title: 'Kea 10', length_days: 28, price_cents: 2500, data_gb: 10 }),
    buildProduct({ unique_id: 'kea-84-days', title: 'Kea 20', length_days: 84, price_cents: 8400, data_gb: 20 }),
  ])
  const addOn = { unique_id: 'kea-more', title: 'More data', length_days: 28, price_cents: 800, data_gb: 2 }
  writeJson(folder, 'add-ons.json', [{ ...buildProduct(addOn), product_type: 2 }])
  writeJson(folder, 'filters.json', [
    { position: 0, length: 28, unit: 'days', promo_text: null },
    { position: 100, length: 84, unit: 'days', promo_text: 'LONGER' },
  ])
}

/** Changes the price of the trial's plan in the provider's folder, as a person would with an editor. */
export function changeTrialPrice(folder: string, cents: number): void {
  const plans = readJson(folder, 'plans.json') as { unique_id: string }[]
  writeJson(
    folder,
    'plans.json',
    plans.map((plan) => (plan.unique_id === trialPlanId ? { ...plan, price_cents: cents } : plan)),
  )
}

type TrialProduct = { unique_id: string; title: string; length_days: number; price_cents: number; data_gb: number }

const buildProduct = (chosen: TrialProduct) => ({
  product_type: 1,
  sku: `SKU/${chosen.unique_id}`,
  code: chosen.unique_id,
  rrp_cents: null,
  price_rebill_cents: null,
  colour: '#446688',
  sort_order: chosen.length_days,
  voice_mins: 0,
  txt_sms: 0,
  roaming: false,
  new_customer_only: false,
  next_product_id: null,
  hidden: false,
  tax_class: 'standard',
  ...chosen,
})

const readJson = (folder: string, file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))

const writeJson = (folder: string, file: string, content: unknown): void =>
  writeFileSync(join(folder, file), `${JSON.stringify(content, null, 4)}\n`)

const rewriteJson = (folder: string, file: string, changes: object): void =>
  writeJson(folder, file, { ...(readJson(folder, file) as object), ...changes })
