import { endAll, forgetAll } from './accounts.ts'
import { composeAgain } from './compose-again.ts'
import type { Deps } from './deps.ts'

/** What a person at the provider does about a customer, of all that the slices have of them. */
export const providerActs = (deps: () => Deps): Pick<Deps, 'composeAgain' | 'customerParts'> => ({
  composeAgain: (trx, wish) => composeAgain(trx, deps(), wish),
  customerParts: {
    endAll: (trx, customer, actor) => endAll(trx, deps(), customer, actor),
    forgetAll: (trx, customer) => forgetAll(trx, deps(), customer),
  },
})
