import type { Visitor } from './visitor.ts'

type Plan = {
  unique_id: string
  price_cents: number
  price_rebill_cents: number | null
  data_gb: number
  next_product_id: string | null
  hidden: boolean
}
export type CatalogueFile = { plans: Plan[]; add_ons: unknown[]; filters: unknown[] }

export async function downloadCatalogue(who: Visitor): Promise<CatalogueFile> {
  const { versions } = (await who.get('/api/desk/catalogue/')).body
  const currentVersion = versions.find(({ state }: { state: string }) => state === 'for sale')
  return JSON.parse(
    (await who.get(`/api/desk/catalogue/versions/${currentVersion.number}/file/`)).body,
  ) as CatalogueFile
}

export async function buildChangedCatalogue(who: Visitor, change: Partial<Plan>, id = 'plan-30-5gb'): Promise<string> {
  const file = await downloadCatalogue(who)
  const plans = file.plans.map((plan) => (plan.unique_id === id ? { ...plan, ...change } : plan))
  return JSON.stringify({ ...file, plans }, null, 2)
}
