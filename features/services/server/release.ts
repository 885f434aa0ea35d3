import type { Trx } from '#kit/server/db.ts'
import type { NetworkAnswer } from '#providers/network/network.port.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import type { ServiceRow } from './plan-life.store.ts'
import { endRelease, findOpenRelease, insertRelease, lookAtReleaseAgain, markReleased, type OpenRelease, orderReleaseAnew, releaseId, tryReleaseAgain } from './releases.store.ts'

/** Queue of numbers to give back: `{ serviceId }`. */
export const releaseJob = 'services.release'

/** The reservation is over: the service leaves its customer's list, and the network is asked to take the number back. */
export async function beginRelease(trx: Trx, deps: Pick<PlanLifeDeps, 'clock' | 'jobs'>, service: ServiceRow): Promise<void> {
  const now = deps.clock.now()
  if (!(await markReleased(trx, service.id, now))) return
  await insertRelease(trx, service.id, releaseId(service.id), now)
  await deps.jobs.send(trx, releaseJob, { serviceId: service.id })
}

// The network's words for a SIM that is not active, which is what we want, and for one that is busy with another order.
const nothingToDeactivate = 'SIM_NOT_ACTIVE'
const busy = 'ORDER_IN_PROGRESS'

/** A transfer that came through in between has changed the number: the same operation id must not ask for something else. */
async function askNetwork({ network }: PlanLifeDeps, { external_id: externalId, iccid, msisdn }: OpenRelease): Promise<NetworkAnswer> {
  const known = await network.read(externalId)
  return known.outcome === 'absent' ? network.place({ externalId, kind: 'deactivate_sim', iccid, msisdn }) : known
}

/** Asks the network, and again until it says how it went. */
export async function followRelease(deps: PlanLifeDeps, serviceId: string): Promise<void> {
  const release = await findOpenRelease(deps.db, serviceId)
  if (!release) return
  const answer = await askNetwork(deps, release)
  if (answer.outcome === 'unknown') return tryReleaseAgain(deps.db, release)
  if (answer.outcome === 'known' && answer.state === 'running') return lookAtReleaseAgain(deps.db, release)
  const now = deps.clock.now()
  if (answer.outcome === 'known' && answer.state === 'completed') return endRelease(deps.db, release, 'completed', null, now)
  if (answer.outcome === 'known' && answer.fault?.retryable) return orderReleaseAnew(deps.db, release)
  const code = answer.outcome === 'rejected' ? answer.code : (answer.fault?.code ?? 'unknown')
  if (code === busy) return tryReleaseAgain(deps.db, release)
  if (code === nothingToDeactivate) return endRelease(deps.db, release, 'completed', code, now)
  deps.log.error({ service: serviceId, code }, 'the network would not take a number back')
  await endRelease(deps.db, release, 'failed', code, now)
}
