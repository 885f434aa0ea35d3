import { endAll, forgetAll } from './accounts.ts'
import { composeAgain } from './compose-again.ts'
import { exportParts } from '#features/customers/server/export.ts'
import type { Deps } from './deps.ts'

/** What a person at the provider does about a customer, or they themselves, of all that the slices have of them. */
export const providerActs = (deps: () => Deps): Pick<Deps, 'composeAgain' | 'customerParts' | 'ownData'> => ({
  composeAgain: (trx, wish) => composeAgain(trx, deps(), wish),
  ownData: {
    exported: (user) => exportParts(deps(), user),
  },
  customerParts: {
    endAll: (trx, customer, actor) => endAll(trx, deps(), customer, actor),
    forgetAll: (trx, customer) => forgetAll(trx, deps(), customer),
  },
})
