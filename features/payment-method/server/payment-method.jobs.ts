import { type JobDefinition, rowJob } from '#kit/server/jobs.ts'
import { retryUpkeep } from '#kit/server/retry-queue.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { cardRemovalRetries, findCardRemoval } from './card-removals.store.ts'
import { cardUpdateRetries, findCardUpdate, wipeSealedUpdateCards } from './card-updates.store.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import { resolveCardRemoval } from './remove-card.ts'
import { resolveCardUpdate } from './resolve-card-update.ts'

export const paymentMethodJobs = (deps: PaymentMethodDeps): JobDefinition[] => [
  rowJob(cardUpdateRetries, async ({ key: updateId }) => {
    const update = await findCardUpdate(deps.db, updateId)
    if (update) await resolveCardUpdate(deps, update)
  }),
  rowJob(cardRemovalRetries, async ({ key: removalId }) => {
    const removal = await findCardRemoval(deps.db, removalId)
    if (removal) await resolveCardRemoval(deps, removal)
  }),
]

export const paymentMethodUpkeep = (deps: PaymentMethodDeps): Upkeep[] => [
  retryUpkeep(deps, cardUpdateRetries),
  retryUpkeep(deps, cardRemovalRetries),
  { name: 'card-updates.old-cards', everyMs: 60_000, run: () => wipeSealedUpdateCards(deps.db) },
]
