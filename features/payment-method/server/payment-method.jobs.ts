import { type JobDefinition, createRowJob } from '#kit/server/jobs.ts'
import { pollDueRows } from '#kit/server/retry-queue.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { cardRemovalQueue, findCardRemoval } from './card-removals.store.ts'
import { cardUpdateQueue, findCardUpdate, wipeExpiredSealedCards } from './card-updates.store.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import { resolveCardRemoval } from './remove-card.ts'
import { resolveCardUpdate } from './resolve-card-update.ts'

export const paymentMethodJobs = (deps: PaymentMethodDeps): JobDefinition[] => [
  createRowJob(cardUpdateQueue, async ({ key: updateId }) => {
    const cardUpdate = await findCardUpdate(deps.db, updateId)
    if (cardUpdate) await resolveCardUpdate(deps, cardUpdate)
  }),
  createRowJob(cardRemovalQueue, async ({ key: removalId }) => {
    const removal = await findCardRemoval(deps.db, removalId)
    if (removal) await resolveCardRemoval(deps, removal)
  }),
]

export const paymentMethodUpkeep = (deps: PaymentMethodDeps): Upkeep[] => [
  pollDueRows(deps, cardUpdateQueue),
  pollDueRows(deps, cardRemovalQueue),
  { name: 'card-updates.old-cards', everyMs: 60_000, run: () => wipeExpiredSealedCards(deps.db) },
]
