import type { Trx } from '#kit/server/db.ts'
import { inBatches } from '#kit/server/in-batches.ts'
import { sendWithdrawn } from './auto-renewal.mail.ts'
import { saveFailure, scheduleStep } from './auto-renewal.store.ts'
import { cardInTrouble, chargeAll, chargeFailed, giveUp } from './charge.ts'
import { countUnasked } from './charges.store.ts'
import { decideStep, isStepDue, type StepAct } from './decide-step.ts'
import { recordChargeOutcome } from './ended-charges.ts'
import { notify } from './notices.ts'
import { readStepFacts, type StepDeps } from './step-facts.ts'
import { takeDue } from './steps.store.ts'
import { type LockedAutoRenewal, readAutoRenewals, stepKey } from './turn.ts'

/** Maximum steps per transaction. */
const mostTogether = 50
/**
 * Maximum charges that await their first request to the gateway. The customer can still renew by hand before a charge
 * is placed. A placed charge must not wait for longer than an order may take.
 */
const mostUnasked = 500

/**
 * Runs all due steps, in several parallel transactions. Returns false when one failed: the failure is logged, and the
 * step is retried in the next round.
 */
export async function doDueSteps(deps: StepDeps, now: Temporal.Instant): Promise<boolean> {
  let isWell = true
  for (const step of ['notice', 'charge'] as const)
    await inBatches({
      ...deps,
      most: mostTogether,
      async take(trx, which) {
        const due = await takeDue(trx, { now, step }, which)
        const isCounted = step === 'charge' && due.length > 0
        return isCounted && (await countUnasked(trx, mostUnasked)) >= mostUnasked ? [] : due
      },
      idOf: (serviceId) => serviceId,
      work: (trx, serviceIds) => doSteps(trx, deps, serviceIds, now),
      onTrouble(service, error) {
        isWell = false
        if (!deps.isAway(error)) deps.log.error({ err: error, service }, 'an auto-renewal step failed')
      },
    })
  return isWell
}

type Decided<Act extends StepAct['act'] = StepAct['act']> = { locked: LockedAutoRenewal } & Extract<
  StepAct,
  { act: Act }
>

async function doSteps(
  trx: Trx,
  deps: StepDeps,
  serviceIds: readonly string[],
  now: Temporal.Instant,
): Promise<string[]> {
  const due = (await readAutoRenewals(trx, serviceIds, now)).filter(isStepDue)
  const notices: Decided<'notify'>[] = []
  const charges: Decided<'charge'>[] = []
  const others: Decided[] = []
  for (const facts of await readStepFacts(trx, deps, due)) {
    const decided: Decided = { locked: facts.locked, ...decideStep(facts, deps.market.zone) }
    if (decided.act === 'notify') notices.push(decided)
    else if (decided.act === 'charge') charges.push(decided)
    else others.push(decided)
  }
  await notify(trx, deps, notices)
  await chargeAll(trx, deps, charges)
  for (const decided of others) await doAlone(trx, deps, decided)
  const done = new Set(due.map(({ service }) => service.id))
  return serviceIds.filter((id) => !done.has(id))
}

async function doAlone(trx: Trx, deps: StepDeps, { locked, ...decided }: Decided): Promise<void> {
  switch (decided.act) {
    case 'record_charge':
      return recordChargeOutcome(trx, deps, locked, decided.order)
    case 'schedule':
      return scheduleStep(trx, locked.service.id, decided.next)
    case 'miss':
      return chargeFailed(trx, deps, locked, { event: stepKey(locked), failure: 'missed', card: null, next: null })
    case 'fail_card':
      return cardInTrouble(trx, deps, locked, decided)
    case 'withdraw': {
      await giveUp(trx, deps, locked, 'withdrawn')
      await saveFailure(trx, locked.service.id, { failure: 'withdrawn', failed_card: null })
      return sendWithdrawn(trx, deps, locked)
    }
  }
}
