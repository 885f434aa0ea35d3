import type { Db } from '#kit/server/db.ts'
import { readTogether } from '#kit/server/read-together.ts'
import { autoRenewalsAsked, purchasesAsked } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { factsFrom, presentOutlooks } from '#features/auto-renewal/server/outlooks.ts'
import { cancellingAsked } from '#features/orders/server/cancelled-plans.store.ts'
import { savedCardAsked } from '#features/payment-method/server/saved-cards.store.ts'
import type { KeptProducts } from '#features/plans/server/kept-products.ts'
import { milestonesAsked, milestonesFrom } from '#features/porting/server/porting-milestones.store.ts'
import { presentPorting } from '#features/porting/server/porting.present.ts'
import { latestPortsAsked } from '#features/porting/server/porting.store.ts'
import { ordersOfQueuedPlans, queuedPlansAsked, queuedPlansFrom } from '#features/services/server/queued-plans.store.ts'
import type { KnownServices } from '#features/services/server/services.deps.ts'
import { idsOfPart, servicesAsked, type ServicesPart } from '#features/services/server/services.store.ts'
import type { Deps } from './deps.ts'

/** Everything that the slices know of a part of a customer's services, as it is at one moment; products as they were lately. */
export async function readServices(
  deps: Deps & { products: KeptProducts },
  db: Db,
  part: ServicesPart,
): Promise<KnownServices> {
  const [known, kept] = await Promise.all([read(db, part), deps.products.all()])
  const products = await deps.products.with(kept, namedIn(known))
  const facts = factsFrom(known, products)
  return {
    services: known.services,
    waiting: queuedPlansFrom(known.waiting),
    products,
    portsAt: (now) => presentPorting(deps, known.ports, milestonesFrom(known.milestones), now),
    outlooksOf: (plans, now) => presentOutlooks(facts, deps, { plans, now }),
  }
}

/** The products that are there as soon as what names them is. */
const namedIn = ({ services, waiting, autoRenewals }: Awaited<ReturnType<typeof read>>): string[] =>
  [
    ...services.map(({ product_id }) => product_id),
    ...waiting.map(({ product_id }) => product_id),
    ...autoRenewals.map(({ notified_product_id }) => notified_product_id),
  ].filter((id) => id !== null)

const read = readTogether((db, part: ServicesPart) => {
  const ids = idsOfPart(db, part)
  return {
    services: servicesAsked(db, part),
    waiting: queuedPlansAsked(db, ids),
    ports: latestPortsAsked(db, ids),
    milestones: milestonesAsked(db, ids),
    autoRenewals: autoRenewalsAsked(db, ids),
    cancelling: cancellingAsked(db, ids),
    cards: savedCardAsked(db, part.userId),
    purchases: purchasesAsked(db, ordersOfQueuedPlans(db, ids)),
  }
})
