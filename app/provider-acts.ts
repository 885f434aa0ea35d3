import { endAll, forgetAll } from './accounts.ts'
import { composeAgain, isComposedAgain } from './compose-again.ts'
import { eraseCustomer } from '#features/customers/server/erase.ts'
import { exportParts } from '#features/customers/server/export.ts'
import { findLeaving } from '#features/privacy/server/erasure-requests.store.ts'
import type { Deps } from './deps.ts'

export const providerActs = (
  deps: () => Deps,
): Pick<Deps, 'composeAgain' | 'isComposedAgain' | 'customerParts' | 'leavingOf' | 'ownData'> => ({
  composeAgain: (trx, wish) => composeAgain(trx, deps(), wish),
  isComposedAgain,
  leavingOf: findLeaving,
  ownData: {
    exported: (user) => exportParts(deps(), user),
    async erase(userId, isStillWanted) {
      const outcome = await eraseCustomer(deps(), userId, { by: 'customer', userId }, isStillWanted)
      return 'why' in outcome ? { open: outcome.open ?? [] } : null
    },
  },
  customerParts: {
    endAll: (trx, customer, actor) => endAll(trx, deps(), customer, actor),
    forgetAll: (trx, customer) => forgetAll(trx, deps(), customer),
  },
})
