import { dueBy, eitherDue } from '#kit/server/due.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import type { StepDeps } from './renewable.ts'
import { runAutoRenewal } from './steps.ts'
import { findEndedCharges, hasCharge, nextDue } from './auto-renewal.store.ts'

/** Notices and charges at their times; how a charge ended is due as soon as it is known. */
export function autoRenewalSweeps(deps: StepDeps): Sweep[] {
  // What could not be taken in stays, and is tried in every round; but a move of the clock must not wait for it.
  let isStuck = false
  return [
    {
      name: 'auto-renewal',
      isDue: eitherDue(dueBy('auto_renewals', 'due_at'), hasCharge),
      async next() {
        const hasEnded = !isStuck && (await findEndedCharges(deps.db, 1)).length > 0
        return hasEnded ? deps.clock.now() : nextDue(deps.db)
      },
      async run(now) {
        isStuck = !(await runAutoRenewal(deps, now))
      },
    },
  ]
}
