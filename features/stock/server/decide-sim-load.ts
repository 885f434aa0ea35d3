import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { isUniqueViolation, transact } from '#kit/server/db.ts'
import { transitionSimLoad, simLoadQueue } from './sim-loads.store.ts'
import type { StockDeps } from './stock.deps.ts'

/**
 * The result of a decision about a SIM load. `late` means that someone else decided first, or the load was abandoned.
 * `known` means that an identical file is being loaded or has already been loaded.
 */
export type DecisionResult = 'done' | 'late' | 'known'

export async function decideSimLoad(
  deps: StockDeps,
  loadId: string,
  decision: 'good' | 'none',
  actor: Actor,
): Promise<DecisionResult> {
  const nextStepFields = { done_line: 1, retry_at: toDate(realNow()), leased_by: null }
  try {
    return await transact(deps.db, async (trx): Promise<DecisionResult> => {
      const load =
        decision === 'good'
          ? await transitionSimLoad(trx, { id: loadId }, 'confirmed', { ...nextStepFields, good_only: true })
          : await transitionSimLoad(trx, { id: loadId }, 'declined', {
              ...nextStepFields,
              ended_at: toDate(deps.clock.now()),
            })
      if (!load) return 'late'
      const event = decision === 'good' ? 'sims_load_confirmed' : 'sims_load_declined'
      const details = { load: loadId, lines: load.lines, bad: load.bad }
      await audit(trx, deps.clock, { event, actor, details })
      await deps.jobs.send(trx, simLoadQueue, loadId)
      return 'done'
    })
  } catch (error) {
    if (isUniqueViolation(error)) return 'known'
    throw error
  }
}
