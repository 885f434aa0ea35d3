import { centsToDecimal } from '#kit/contract/money.ts'
import { listSimLoads } from '#features/stock/server/sim-loads.store.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskRequestContext } from '#desk/features/staff/server/desk-request-context.ts'
import { searchStock, readStock, type Stock } from '../stock.contract.ts'
import { presentBatch, readBatches } from './batches.view.ts'
import { findVoucherOrSim } from './find-voucher-or-sim.ts'
import { presentSimLoad } from './sim-loads.present.ts'
import type { DeskStockDeps } from './stock.deps.ts'
import { estimateDaysLeft, countUnusedBySimLoad, readPlans, readSimStock, readVoucherLevels } from './stock.view.ts'

const maxShownRows = 20

export const stockRoutes = (deps: DeskStockDeps): DeskRoute[] => [
  deskRoute(readStock, { who: 'staff' }, () => showStock(deps)),
  deskRoute(
    searchStock,
    {
      who: ['support', 'admin'],
      // Voucher codes are long and random, but the limit makes guessing even slower.
      limits: ({ visit }) => [
        { key: `desk:find:${(visit as DeskRequestContext).staff?.id ?? ''}`, times: 60, seconds: 600 },
      ],
    },
    ({ staff, body }) => findVoucherOrSim(deps, staff, body.text),
  ),
]

async function showStock(deps: DeskStockDeps): Promise<Stock> {
  const { db, clock } = deps
  const unusedBySimLoad = await countUnusedBySimLoad(db)
  const sims = await readSimStock(db, clock, unusedBySimLoad)
  return {
    sims: { ...sims, days: estimateDaysLeft(sims) },
    vouchers: (await readVoucherLevels(db, clock)).map(({ plan, unused, used }) => ({
      plan,
      unused,
      used,
      days: estimateDaysLeft({ unused, used }),
    })),
    loads: (await listSimLoads(db, maxShownRows)).map((load) => presentSimLoad(load, unusedBySimLoad, clock)),
    batches: (await readBatches(db, maxShownRows)).map((batch) => presentBatch(batch, deps)),
    plans: (await readPlans(db)).map((plan) => ({
      id: plan.unique_id,
      title: plan.title,
      price: centsToDecimal(plan.price_cents),
      hidden: plan.hidden,
    })),
  }
}
