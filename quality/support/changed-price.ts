import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Plan = { unique_id: string; price_cents: number }

export function changePrice(folder: string, cents: number): void {
  const file = join(folder, 'plans.json')
  const plans = JSON.parse(readFileSync(file, 'utf8')) as Plan[]
  for (const plan of plans) if (plan.unique_id === 'plan-30-5gb') plan.price_cents = cents
  writeFileSync(file, JSON.stringify(plans))
}
