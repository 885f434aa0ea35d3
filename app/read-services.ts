import type { CustomerDataReader } from '#kit/server/customer-data-reader.ts'
import type { Db } from '#kit/server/db.ts'
import type { Ids, QueryPartRows, Value } from '#kit/server/combined-query.ts'
import { createCustomerRead } from '#features/auth/server/visitor.store.ts'
import { autoRenewalsQueryPart, purchasesQueryPart } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { planFactsFromRows, presentPlanStatuses } from '#features/auto-renewal/server/plan-statuses.ts'
import { cancellingPlansQueryPart } from '#features/orders/server/cancelled-plans.store.ts'
import { savedCardQueryPart } from '#features/payment-method/server/saved-cards.store.ts'
import type { CachedProducts } from '#features/plans/server/cached-products.ts'
import { milestonesQueryPart, milestonesByPort } from '#features/porting/server/porting-milestones.store.ts'
import { presentPorting } from '#features/porting/server/porting.present.ts'
import { latestPortsQueryPart } from '#features/porting/server/porting.store.ts'
import {
  queuedOrderIdsQuery,
  queuedPlansQueryPart,
  mapQueuedPlansByService,
} from '#features/services/server/queued-plans.store.ts'
import type { ServiceRows } from '#features/services/server/services.deps.ts'
import { servicesPartIdsQuery, servicesQueryPart, type ServicesPart } from '#features/services/server/services.store.ts'
import type { Deps } from './deps.ts'

type ServiceDeps = Pick<Deps, 'market' | 'numberKeptDays' | 'failureOfPort' | 'stepOfPort'> & {
  products: CachedProducts
}

/** Reads a customer's services. All features' data comes from the same moment, except product data, which may be a second old. */
export const readServices = (deps: ServiceDeps): CustomerDataReader<ServicesPart, ServiceRows> =>
  createCustomerRead(
    serviceQueries,
    async (known) => {
      const products = await deps.products.with(await deps.products.all(), collectProductIds(known))
      const facts = planFactsFromRows(known, products)
      return {
        services: known.services,
        waiting: mapQueuedPlansByService(known.waiting),
        products,
        portsAt: (now) => presentPorting(deps, known.ports, milestonesByPort(known.milestones), now),
        outlooksOf: (plans, now) => presentPlanStatuses(facts, deps, { plans, now }),
      }
    },
    servicesPartIdsQuery,
  )

const collectProductIds = ({
  services,
  waiting,
  autoRenewals,
}: QueryPartRows<ReturnType<typeof serviceQueries>>): string[] =>
  [
    ...services.map(({ product_id }) => product_id),
    ...waiting.map(({ product_id }) => product_id),
    ...autoRenewals.map(({ notified_product_id }) => notified_product_id),
  ].filter((id) => id !== null)

function serviceQueries(db: Db, userId: Value, _part: ServicesPart, ids: Ids) {
  return {
    services: servicesQueryPart(db, userId, ids),
    waiting: queuedPlansQueryPart(db, ids),
    ports: latestPortsQueryPart(db, ids),
    milestones: milestonesQueryPart(db, ids),
    autoRenewals: autoRenewalsQueryPart(db, ids),
    cancelling: cancellingPlansQueryPart(db, ids),
    cards: savedCardQueryPart(db, userId),
    purchases: purchasesQueryPart(db, queuedOrderIdsQuery(db, ids)),
  }
}
