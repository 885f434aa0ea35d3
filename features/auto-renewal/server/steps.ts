import type { Trx } from '#kit/server/db.ts'
import { processInBatches } from '#kit/server/process-in-batches.ts'
import { notifyPlanWithdrawn } from './auto-renewal.mail.ts'
import { saveFailure, scheduleStep } from './auto-renewal.store.ts'
import { handleCardProblem, placeCharges, handleChargeFailure, stopAfterLastAttempt } from './charge-plans.ts'
import { countUnsentCharges } from './charges.store.ts'
import { decideStep, isStepDue, type StepAction } from './decide-step.ts'
import { recordChargeOutcome } from './ended-charges.ts'
import { notifyCustomers } from './notify-customers.ts'
import { readStepFacts, type StepDeps } from './step-facts.ts'
import { lockDueServices } from './steps.store.ts'
import { type LockedAutoRenewal, readAutoRenewals, getStepKey } from './locked-auto-renewal.ts'

/** Maximum auto-renewal steps per transaction. */
const maxBatchSize = 50
/**
 * Maximum charges that may be waiting to be sent to the gateway. A charge must be sent before its order's deadline, so
 * only this many are placed at once. Until a charge is placed, the customer can still renew manually.
 */
const maxUnsentCharges = 500

/**
 * Runs all due auto-renewal steps in several parallel transactions. Returns false if a step failed; the error is logged
 * and the step is retried in the next run.
 */
export async function runDueSteps(deps: StepDeps, now: Temporal.Instant): Promise<boolean> {
  let hasSucceeded = true
  for (const step of ['notice', 'charge'] as const)
    await processInBatches({
      ...deps,
      most: maxBatchSize,
      async lockBatch(trx, which) {
        const due = await lockDueServices(trx, { now, step }, which)
        const isChargeStep = step === 'charge' && due.length > 0
        return isChargeStep && (await countUnsentCharges(trx, maxUnsentCharges)) >= maxUnsentCharges ? [] : due
      },
      idOf: (serviceId) => serviceId,
      work: (trx, serviceIds) => runSteps(trx, deps, serviceIds, now),
      onFailure(service, error) {
        hasSucceeded = false
        if (!deps.noteOutage(error)) deps.log.error({ err: error, service }, 'an auto-renewal step failed')
      },
    })
  return hasSucceeded
}

type DecidedStep<Act extends StepAction['act'] = StepAction['act']> = { locked: LockedAutoRenewal } & Extract<
  StepAction,
  { act: Act }
>

async function runSteps(
  trx: Trx,
  deps: StepDeps,
  serviceIds: readonly string[],
  now: Temporal.Instant,
): Promise<string[]> {
  const due = (await readAutoRenewals(trx, serviceIds, now)).filter(isStepDue)
  const notices: DecidedStep<'notify'>[] = []
  const charges: DecidedStep<'charge'>[] = []
  const otherSteps: DecidedStep[] = []
  for (const facts of await readStepFacts(trx, deps, due)) {
    const decidedStep: DecidedStep = { locked: facts.locked, ...decideStep(facts, deps.market.zone) }
    if (decidedStep.act === 'notify') notices.push(decidedStep)
    else if (decidedStep.act === 'charge') charges.push(decidedStep)
    else otherSteps.push(decidedStep)
  }
  await notifyCustomers(trx, deps, notices)
  await placeCharges(trx, deps, charges)
  for (const otherStep of otherSteps) await runStep(trx, deps, otherStep)
  const doneServiceIds = new Set(due.map(({ service }) => service.id))
  return serviceIds.filter((id) => !doneServiceIds.has(id))
}

async function runStep(trx: Trx, deps: StepDeps, { locked, ...decided }: DecidedStep): Promise<void> {
  switch (decided.act) {
    case 'record_charge':
      return recordChargeOutcome(trx, deps, locked, decided.order)
    case 'schedule':
      return scheduleStep(trx, locked.service.id, decided.next)
    case 'miss':
      return handleChargeFailure(trx, deps, locked, {
        event: getStepKey(locked),
        failure: 'missed',
        card: null,
        next: null,
      })
    case 'fail_card':
      return handleCardProblem(trx, deps, locked, decided)
    case 'withdraw': {
      await stopAfterLastAttempt(trx, deps, locked, 'withdrawn')
      await saveFailure(trx, locked.service.id, { failure: 'withdrawn', failed_card: null })
      return notifyPlanWithdrawn(trx, deps, locked)
    }
  }
}
