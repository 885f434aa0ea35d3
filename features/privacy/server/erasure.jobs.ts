import type { Log } from '#kit/server/log.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { dueBy } from '#kit/server/due.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import { lockUser } from '#features/auth/server/users.store.ts'
import type { OpenThing } from '#features/customers/server/open.store.ts'
import { tellOfPuttingOff } from './erasure.mail.ts'
import { sentenceOf } from './erasure.present.ts'
import {
  type ErasureRequest,
  findDueErasures,
  findErasureRequest,
  moveErasureRequest,
  nextDueErasure,
} from './erasure-requests.store.ts'
import { busyMinutes, putOffHours } from './erasure.times.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

type Deps = PrivacyDeps & { log: Log }

export const erasureSweeps = (deps: Deps): Sweep[] => [
  {
    name: 'privacy.erasures',
    isDue: dueBy('erasure_requests', 'due_at'),
    next: () => nextDueErasure(deps.db),
    async run(now) {
      for (const requestId of await findDueErasures(deps.db, now)) {
        try {
          await eraseDue(deps, requestId)
        } catch (error) {
          // A failing erasure does not affect the others.
          deps.log.error({ err: error, request: requestId }, 'an erasure that a customer asked for failed')
          await putOff(deps, requestId, [])
        }
      }
    },
  },
]

/**
 * Erases a customer whose request is due. The request is checked again under the lock, so a concurrent cancellation
 * wins, and only one process erases.
 */
async function eraseDue(deps: Deps, requestId: string): Promise<void> {
  const request = await findErasureRequest(deps.db, requestId)
  if (!request || !isDue(deps, request)) return
  const refused = await deps.ownData.erase(request.user_id, async (trx) => {
    const now = await findErasureRequest(trx, requestId)
    return now !== undefined && isDue(deps, now)
  })
  if (refused) await putOff(deps, requestId, refused.open)
}

const isDue = ({ clock }: Deps, { state, due_at: due }: ErasureRequest): boolean =>
  state === 'waiting' && due !== null && Temporal.Instant.compare(fromDate(due), clock.now()) <= 0

/** Postpones an erasure. The customer is told once, of the first obstacle; a wait without an obstacle is not reported. */
const putOff = (deps: Deps, requestId: string, open: readonly OpenThing[]): Promise<void> =>
  transact(deps.db, async (trx: Trx) => {
    const now = deps.clock.now()
    const found = await findErasureRequest(trx, requestId)
    const user = found && (await lockUser(trx, found.user_id))
    const request = user && (await findErasureRequest(trx, requestId))
    if (!request || !isDue(deps, request)) return
    const [first] = open
    const again = first ? now.add({ hours: putOffHours }) : now.add({ minutes: busyMinutes })
    const putOffAt = request.put_off_at ?? (first ? toDate(now) : null)
    const moved = await moveErasureRequest(trx, request, 'put_off', { due_at: toDate(again), put_off_at: putOffAt })
    if (!moved || !first || request.put_off_at) return
    await tellOfPuttingOff(trx, deps, { user, request, why: sentenceOf(first) })
    await audit(trx, deps.clock, { event: 'erasure_put_off', userId: user.id, details: { kind: first.kind } })
  })
