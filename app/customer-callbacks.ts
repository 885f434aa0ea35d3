import { endServicesAndCards, erasePersonalData } from './accounts.ts'
import { recreateMessage, hasMessageComposer } from './recreate-message.ts'
import { eraseCustomer } from '#features/customers/server/erase-customer.ts'
import { buildExportParts } from '#features/customers/server/export-customer.ts'
import { findErasureRequesters } from '#features/privacy/server/erasure-requests.store.ts'
import type { Deps } from './deps.ts'

export const customerCallbacks = (
  deps: () => Deps,
): Pick<Deps, 'composeAgain' | 'isComposedAgain' | 'customerParts' | 'leavingOf' | 'ownData'> => ({
  composeAgain: (trx, wish) => recreateMessage(trx, deps(), wish),
  isComposedAgain: hasMessageComposer,
  leavingOf: findErasureRequesters,
  ownData: {
    exported: (user) => buildExportParts(deps(), user),
    async erase(userId, isStillWanted) {
      const outcome = await eraseCustomer(deps(), userId, { by: 'customer', userId }, isStillWanted)
      return 'why' in outcome ? { open: outcome.open ?? [] } : null
    },
  },
  customerParts: {
    endAll: (trx, customer, actor) => endServicesAndCards(trx, deps(), customer, actor),
    forgetAll: (trx, customer) => erasePersonalData(trx, deps(), customer),
  },
})
