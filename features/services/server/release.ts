import { toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { backOff } from '#kit/server/retries.ts'
import { reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { endUnusableAnswers, reportUnusableAnswer } from '#features/operator-tasks/server/unusable-answers.store.ts'
import type { NetworkAnswer } from '#providers/network/network.port.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import type { ServiceRow } from './plan-life.store.ts'
import {
  findOpenRelease,
  lockOpenRelease,
  insertRelease,
  markReleased,
  moveRelease,
  type OpenRelease,
  releaseId,
  releaseRetries,
  retryReleaseIn,
} from './releases.store.ts'

/** Releases a service from its customer, and schedules the return of its number to the network. Idempotent. */
export async function beginRelease(
  trx: Trx,
  deps: Pick<PlanLifeDeps, 'clock' | 'jobs'>,
  service: ServiceRow,
): Promise<void> {
  const now = deps.clock.now()
  if (!(await markReleased(trx, service.id, now))) return
  await insertRelease(trx, service.id, releaseId(service.id), now)
  await deps.jobs.send(trx, releaseRetries, service.id)
}

/**
 * Looks for the order before placing it, and compares only its SIM. A number transfer may have changed the service's
 * number since, while the order still names the earlier number.
 */
async function askNetwork(
  { network }: PlanLifeDeps,
  { external_id: externalId, iccid, msisdn }: OpenRelease,
): Promise<NetworkAnswer> {
  const known = await network.read(externalId, { iccid })
  return known.outcome === 'absent' ? network.place({ externalId, kind: 'deactivate_sim', iccid, msisdn }) : known
}

export async function followRelease(deps: PlanLifeDeps, serviceId: string): Promise<void> {
  const release = await findOpenRelease(deps.db, serviceId)
  if (!release) return
  const { external_id: externalId } = release
  const complete = (fault: string | null): Promise<void> =>
    transact(deps.db, async (trx) => {
      if (await moveRelease(trx, release, 'completed', { fault, ended_at: toDate(deps.clock.now()) }))
        await endUnusableAnswers(trx, { externalId })
    })
  const later = (change = {}): Promise<void> => retryReleaseIn(deps.db, release, backOff(release.tries, 256), change)
  const answer = await askNetwork(deps, release)
  if (answer.outcome === 'unknown') {
    const isOpen = (trx: Trx): Promise<boolean> => lockOpenRelease(trx, serviceId)
    await reportUnusableAnswer(deps.db, { externalId, what: 'number release', isOpen }, answer)
    return later()
  }
  if (answer.outcome === 'known' && answer.state === 'running')
    return retryReleaseIn(deps.db, release, release.tries < 10 ? 1 : 30)
  if (answer.outcome === 'known' && answer.state === 'completed') return complete(null)
  if (answer.outcome === 'known' && answer.fault?.retryable) {
    await endUnusableAnswers(deps.db, { externalId })
    return later({ external_id: releaseId(serviceId, release.tries + 1) })
  }
  const fault = answer.outcome === 'rejected' ? answer : answer.fault
  const { code, meaning } = { code: 'unknown', meaning: undefined, ...fault }
  if (meaning === 'busy') return later()
  // The goal is an inactive SIM, so this counts as success.
  if (meaning === 'nothing_there') return complete(code)
  deps.log.error({ service: serviceId, code }, 'the network would not take a number back')
  await transact(deps.db, async (trx) => {
    if (!(await moveRelease(trx, release, 'failed', { fault: code, ended_at: toDate(deps.clock.now()) }))) return
    await endUnusableAnswers(trx, { externalId })
    await reportToOperator(trx, {
      kind: 'release',
      subject: release.iccid,
      reason: `the network would not take back the number of SIM ${release.iccid}: ${code}`,
    })
  })
}
