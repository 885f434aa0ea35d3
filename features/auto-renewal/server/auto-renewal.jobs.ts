import { isDueByApplicationClock } from '#kit/server/due-conditions.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import type { StepDeps } from './step-facts.ts'
import { recordChargeOutcomes } from './ended-charges.ts'
import { runDueSteps } from './steps.ts'
import { findNextStepDueAt } from './auto-renewal.store.ts'
import { findEndedCharges, hasUnrecordedCharge } from './charges.store.ts'

export function autoRenewalSweeps(deps: StepDeps): Sweep[] {
  /*
   * True when the last run failed to record a charge's outcome. Every run tries to record it again, but the charge must not count as due,
   * or a test clock could never advance.
   */
  let isStuck = false
  return [
    {
      name: 'auto-renewal.charges',
      isDue: hasUnrecordedCharge,
      next: async () => (!isStuck && (await findEndedCharges(deps.db, 1)).length > 0 ? deps.clock.now() : null),
      async run(now) {
        isStuck = !(await recordChargeOutcomes(deps, now))
      },
    },
    {
      name: 'auto-renewal',
      isDue: isDueByApplicationClock('auto_renewals', 'due_at'),
      next: () => findNextStepDueAt(deps.db),
      async run(now) {
        await runDueSteps(deps, now)
      },
    },
  ]
}
