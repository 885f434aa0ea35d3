import { toWire } from '#kit/contract/money.ts'
import type { CatalogueVersion } from '#features/plans/server/catalogue.store.ts'
import { isAddOnOnOffer, isPlanOnOffer } from '#features/plans/server/plans.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import { reasonWords } from '#desk/features/staff/reasons.contract.ts'
import type { DeskProduct, DeskVersion } from '../catalogue.contract.ts'
import type { MadeDraft } from './drafts.store.ts'

export const presentProduct = (row: ProductRow): DeskProduct => ({
  unique_id: row.unique_id,
  title: row.title,
  kind: row.product_type === 1 ? 'plan' : 'add-on',
  days: row.length_days,
  price: toWire(row.price_cents),
  price_rebill: row.price_rebill_cents === null ? null : toWire(row.price_rebill_cents),
  data_gb: row.data_gb,
  is_hidden: row.hidden,
  is_for_sale: isPlanOnOffer(row) || isAddOnOnOffer(row),
})

/** @param standing the number of the version that is for sale */
export const presentVersion = (version: CatalogueVersion, standing: number | undefined): DeskVersion => ({
  number: version.number,
  from: version.effective_at.toISOString(),
  made: version.made_at.toISOString(),
  by: byWords(version.actor),
  approved_by: version.approved_by,
  why: version.reason ? reasonWords(version.reason) : '',
  state: stateOf(version, standing),
})

function stateOf({ number, applied_at, canceled_at }: CatalogueVersion, standing?: number): DeskVersion['state'] {
  if (applied_at) return number === standing ? 'for sale' : 'applied'
  return canceled_at ? 'called off' : 'to come'
}

/** Who made it, as it is kept with it. */
function byWords(actor: string): string {
  if (actor.startsWith('staff:')) return actor.slice('staff:'.length)
  if (actor.startsWith('operator:')) return `${actor.slice('operator:'.length)}, by command line`
  return actor === 'system' ? 'The folder, at a start' : actor
}

export const presentDraft = ({
  number,
  source,
  maker,
  made_at,
}: Pick<MadeDraft, 'number' | 'source' | 'maker' | 'made_at'>) => ({
  number,
  source,
  by: maker,
  made: made_at.toISOString(),
})
