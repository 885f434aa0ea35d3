import type { CustomerRead } from '#kit/server/customer-read.ts'
import type { Db } from '#kit/server/db.ts'
import type { Answers, Value } from '#kit/server/read-together.ts'
import { customerRead } from '#features/auth/server/visitor.store.ts'
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

type ServiceDeps = Pick<Deps, 'market' | 'numberKeptDays' | 'failureOfPort' | 'stepOfPort'> & { products: KeptProducts }

/** All features are read at one moment. Product data may be one second old. */
export const readServices = (deps: ServiceDeps): CustomerRead<ServicesPart, KnownServices> =>
  customerRead(servicesAndFacts, async (known) => {
    const products = await deps.products.with(await deps.products.all(), namedIn(known))
    const facts = factsFrom(known, products)
    return {
      services: known.services,
      waiting: queuedPlansFrom(known.waiting),
      products,
      portsAt: (now) => presentPorting(deps, known.ports, milestonesFrom(known.milestones), now),
      outlooksOf: (plans, now) => presentOutlooks(facts, deps, { plans, now }),
    }
  })

const namedIn = ({ services, waiting, autoRenewals }: Answers<ReturnType<typeof servicesAndFacts>>): string[] =>
  [
    ...services.map(({ product_id }) => product_id),
    ...waiting.map(({ product_id }) => product_id),
    ...autoRenewals.map(({ notified_product_id }) => notified_product_id),
  ].filter((id) => id !== null)

function servicesAndFacts(db: Db, userId: Value, part: ServicesPart) {
  const ids = idsOfPart(db, userId, part)
  return {
    services: servicesAsked(db, userId, part),
    waiting: queuedPlansAsked(db, ids),
    ports: latestPortsAsked(db, ids),
    milestones: milestonesAsked(db, ids),
    autoRenewals: autoRenewalsAsked(db, ids),
    cancelling: cancellingAsked(db, ids),
    cards: savedCardAsked(db, userId),
    purchases: purchasesAsked(db, ordersOfQueuedPlans(db, ids)),
  }
}
