import { toWire } from '#kit/contract/money.ts'
import { listLoads } from '#features/stock/server/sim-loads.store.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskVisit } from '#desk/features/staff/server/visit.ts'
import { findInStock, readStock, type Stock } from '../stock.contract.ts'
import { presentBatch, readBatches } from './batches.view.ts'
import { findOne } from './find-one.ts'
import { presentLoad } from './loads.present.ts'
import type { DeskStockDeps } from './stock.deps.ts'
import { daysLeft, leftOfLoads, readPlans, readSims, readUnusedVouchers } from './stock.view.ts'

const mostShown = 20

export const stockRoutes = (deps: DeskStockDeps): DeskRoute[] => [
  deskRoute(readStock, { who: 'staff' }, () => showStock(deps)),
  deskRoute(
    findInStock,
    {
      who: ['support', 'admin'],
      // Codes are long and random, but the limit slows guessing down anyway.
      limits: ({ visit }) => [{ key: `desk:find:${(visit as DeskVisit).staff?.id ?? ''}`, times: 60, seconds: 600 }],
    },
    ({ staff, body }) => findOne(deps, staff, body.text),
  ),
]

async function showStock(deps: DeskStockDeps): Promise<Stock> {
  const { db, clock } = deps
  const left = await leftOfLoads(db)
  const sims = await readSims(db, clock, left)
  return {
    sims: { ...sims, days: daysLeft(sims) },
    vouchers: await readUnusedVouchers(db, clock),
    loads: (await listLoads(db, mostShown)).map((load) => presentLoad(load, left, clock)),
    batches: (await readBatches(db, mostShown)).map((batch) => presentBatch(batch, deps)),
    plans: (await readPlans(db)).map((plan) => ({
      id: plan.unique_id,
      title: plan.title,
      price: toWire(plan.price_cents),
      hidden: plan.hidden,
    })),
  }
}
