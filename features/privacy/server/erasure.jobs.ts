import type { Log } from '#kit/server/log.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { isDueByApplicationClock } from '#kit/server/due-conditions.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import { lockUser } from '#features/auth/server/users.store.ts'
import type { ErasureBlocker } from '#features/customers/server/erasure-blockers.store.ts'
import { notifyErasurePostponed } from './erasure.mail.ts'
import { describeErasureBlocker } from './erasure.present.ts'
import {
  type ErasureRequest,
  listDueErasures,
  findErasureRequest,
  transitionErasureRequest,
  findNextDueErasure,
} from './erasure-requests.store.ts'
import { accountBusyRetryMinutes, postponementHours } from './erasure.times.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

type ErasureJobDeps = PrivacyDeps & { log: Log }

export const erasureSweeps = (deps: ErasureJobDeps): Sweep[] => [
  {
    name: 'privacy.erasures',
    isDue: isDueByApplicationClock('erasure_requests', 'due_at'),
    next: () => findNextDueErasure(deps.db),
    async run(now) {
      for (const requestId of await listDueErasures(deps.db, now)) {
        try {
          await runDueErasure(deps, requestId)
        } catch (error) {
          // A failing erasure does not affect the other erasures.
          deps.log.error({ err: error, request: requestId }, 'the erasure of a customer failed and was postponed')
          await postponeErasure(deps, requestId, [])
        }
      }
    },
  },
]

/**
 * Erases a customer whose erasure request is due. Checks the request again once the customer is locked, so that a
 * concurrent cancellation wins and only one process erases.
 */
async function runDueErasure(deps: ErasureJobDeps, requestId: string): Promise<void> {
  const request = await findErasureRequest(deps.db, requestId)
  if (!request || !isDue(deps, request)) return
  const rejection = await deps.ownData.erase(request.user_id, async (trx) => {
    const currentRequest = await findErasureRequest(trx, requestId)
    return currentRequest !== undefined && isDue(deps, currentRequest)
  })
  if (rejection) await postponeErasure(deps, requestId, rejection.open)
}

const isDue = ({ clock }: ErasureJobDeps, { state, due_at: due }: ErasureRequest): boolean =>
  state === 'waiting' && due !== null && Temporal.Instant.compare(fromDate(due), clock.now()) <= 0

/**
 * Postpones an erasure. The customer is notified once, of the first obstacle. A short wait for another operation is not
 * reported.
 */
const postponeErasure = (deps: ErasureJobDeps, requestId: string, open: readonly ErasureBlocker[]): Promise<void> =>
  transact(deps.db, async (trx: Trx) => {
    const now = deps.clock.now()
    const requestBeforeLock = await findErasureRequest(trx, requestId)
    const user = requestBeforeLock && (await lockUser(trx, requestBeforeLock.user_id))
    const request = user && (await findErasureRequest(trx, requestId))
    if (!request || !isDue(deps, request)) return
    const [firstObstacle] = open
    const nextDueAt = firstObstacle
      ? now.add({ hours: postponementHours })
      : now.add({ minutes: accountBusyRetryMinutes })
    const postponedAt = request.put_off_at ?? (firstObstacle ? toDate(now) : null)
    const postponedRequest = await transitionErasureRequest(trx, request, 'put_off', {
      due_at: toDate(nextDueAt),
      put_off_at: postponedAt,
    })
    if (!postponedRequest || !firstObstacle || request.put_off_at) return
    await notifyErasurePostponed(trx, deps, { user, request, why: describeErasureBlocker(firstObstacle) })
    await audit(trx, deps.clock, { event: 'erasure_put_off', userId: user.id, details: { kind: firstObstacle.kind } })
  })
