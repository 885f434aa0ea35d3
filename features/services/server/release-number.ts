import { toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { computeBackOffSeconds } from '#kit/server/retry-queue.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import {
  endUnusableResponseTasks,
  reportUnusableResponse,
} from '#features/operator-tasks/server/unusable-responses.store.ts'
import type { NetworkAnswer } from '#providers/network/network.port.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import type { ServiceRow } from './plan-life.store.ts'
import {
  findOpenRelease,
  lockOpenRelease,
  insertRelease,
  markServiceReleased,
  transitionRelease,
  type OpenRelease,
  buildReleaseOrderId,
  numberReleaseQueue,
  scheduleReleaseRetry,
} from './releases.store.ts'

/** Takes a service away from its customer, and schedules the return of its number to the network. Idempotent. */
export async function beginRelease(
  trx: Trx,
  deps: Pick<PlanLifeDeps, 'clock' | 'jobs'>,
  service: ServiceRow,
): Promise<void> {
  const now = deps.clock.now()
  if (!(await markServiceReleased(trx, service.id, now))) return
  await insertRelease(trx, service.id, buildReleaseOrderId(service.id), now)
  await deps.jobs.send(trx, numberReleaseQueue, service.id)
}

/**
 * Orders the release of a number from the network, unless the order already exists. An existing order is matched by its
 * SIM alone, because a number transfer may have changed the service's number since the order was placed.
 */
async function requestNetworkRelease(
  { network }: PlanLifeDeps,
  { external_id: externalId, iccid, msisdn }: OpenRelease,
): Promise<NetworkAnswer> {
  const existingOrder = await network.read(externalId, { iccid })
  return existingOrder.outcome === 'absent'
    ? network.place({ externalId, kind: 'deactivate_sim', iccid, msisdn })
    : existingOrder
}

export async function processRelease(deps: PlanLifeDeps, serviceId: string): Promise<void> {
  const release = await findOpenRelease(deps.db, serviceId)
  if (!release) return
  const { external_id: externalId } = release
  const completeRelease = (fault: string | null): Promise<void> =>
    transact(deps.db, async (trx) => {
      if (await transitionRelease(trx, release, 'completed', { fault, ended_at: toDate(deps.clock.now()) }))
        await endUnusableResponseTasks(trx, { externalId })
    })
  const retryLater = (change = {}): Promise<void> =>
    scheduleReleaseRetry(deps.db, release, computeBackOffSeconds(release.tries, 256), change)
  const response = await requestNetworkRelease(deps, release)
  if (response.outcome === 'unknown') {
    const isOpen = (trx: Trx): Promise<boolean> => lockOpenRelease(trx, serviceId)
    await reportUnusableResponse(deps.db, { externalId, what: 'number release', isOpen }, response)
    return retryLater()
  }
  if (response.outcome === 'known' && response.state === 'running')
    return scheduleReleaseRetry(deps.db, release, release.tries < 10 ? 1 : 30)
  if (response.outcome === 'known' && response.state === 'completed') return completeRelease(null)
  if (response.outcome === 'known' && response.fault?.retryable) {
    await endUnusableResponseTasks(deps.db, { externalId })
    return retryLater({ external_id: buildReleaseOrderId(serviceId, release.tries + 1) })
  }
  const fault = response.outcome === 'rejected' ? response : response.fault
  const { code, meaning } = { code: 'unknown', meaning: undefined, ...fault }
  if (meaning === 'busy') return retryLater()
  // The release is meant to leave the SIM inactive, so finding it inactive already counts as success.
  if (meaning === 'nothing_there') return completeRelease(code)
  deps.log.error({ service: serviceId, code }, 'the network refused to take a number back')
  await transact(deps.db, async (trx) => {
    if (!(await transitionRelease(trx, release, 'failed', { fault: code, ended_at: toDate(deps.clock.now()) }))) return
    await endUnusableResponseTasks(trx, { externalId })
    await createTask(trx, {
      kind: 'release',
      subject: release.iccid,
      reason: `the network would not take back the number of SIM ${release.iccid}: ${code}`,
    })
  })
}
