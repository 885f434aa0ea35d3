import type { JobDefinition } from '#kit/server/jobs.ts'
import { retryUpkeep } from '#kit/server/retries.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { cardUpdateRetries, findCardUpdate, wipeOldUpdateCards } from './card-updates.store.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import { resolveCardUpdateJob } from './payment-method.queue.ts'
import { resolveCardUpdate } from './resolve-card-update.ts'

export const paymentMethodJobs = (deps: PaymentMethodDeps): JobDefinition[] => [
  {
    name: resolveCardUpdateJob,
    async run({ updateId }: { updateId: string }) {
      const update = await findCardUpdate(deps.db, updateId)
      if (update) await resolveCardUpdate(deps, update)
    },
  },
]

/** Resolves what a customer, or a process that died, has left without an outcome. */
export const paymentMethodUpkeep = (deps: PaymentMethodDeps): Upkeep[] => [
  retryUpkeep(deps, cardUpdateRetries, 1_000, (updateId) => [resolveCardUpdateJob, { updateId }]),
  { name: 'card-updates.old-cards', everyMs: 60_000, run: () => wipeOldUpdateCards(deps.db) },
]
