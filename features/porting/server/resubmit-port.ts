import type { Actor } from '#kit/server/actor.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { toDate } from '#kit/server/clock.ts'
import { type Db, isUniqueViolation, transact, type Trx } from '#kit/server/db.ts'
import { readPart } from '#kit/server/read-part.ts'
import { Refusal } from '#kit/server/refusal.ts'
import { findService } from '#features/services/server/services.store.ts'
import { billingMethods, type PortingForm, portingFormSchemas } from '../porting.contract.ts'
import type { LastPort } from '../port-service.contract.ts'
import { hasNotCome } from '../porting.states.ts'
import { destinationOf, requestNextPort } from './port-service.ts'
import type { PortingDeps } from './porting.deps.ts'
import { insertPortEvent } from './porting-events.store.ts'
import { answersOf } from './porting.present.ts'
import { findPortByExternalId, latestPort, lockPort, movePort, type PortingRequest } from './porting.store.ts'
import { transferFaults } from './porting.ts'
import { freeNumber } from './reserved-numbers.store.ts'

/** Either of `prepaid_sim_number` and `account_number` also sets the billing method. */
export type Correction = Partial<Omit<LastPort, 'billing_method'>>

export type ResubmitOutcome =
  | { outcome: 'requested'; externalId: string }
  | { outcome: 'invalid'; errors: FieldErrors }
  | { outcome: 'impossible'; why: string }

/**
 * Requests a failed or cancelled transfer again with corrected details, validated like the customer's form. The new
 * request is separate, and the previous one stays unchanged. A transfer that was never submitted is replaced.
 */
export async function resubmitPort(
  deps: PortingDeps,
  { externalId, correction }: { externalId: string; correction: Correction },
  actor: Actor,
): Promise<ResubmitOutcome> {
  const port = await findPortByExternalId(deps.db, externalId)
  const service = port && (await findService(deps.db, port.service_id))
  const why = service ? await whyNotAgain(deps.db, port, service.released_at) : 'No transfer found.'
  if (!port || !service || why) return { outcome: 'impossible', why: why ?? 'No transfer found.' }
  const { value, right, errors } = readPart(
    portingFormSchemas[deps.market.phoneRegion],
    corrected(answersOf(port), correction),
  )
  const faults = { ...(await transferFaults(deps, destinationOf(service), right)), ...errors }
  if (Object.keys(faults).length > 0) return { outcome: 'invalid', errors: faults }
  try {
    return await transact(deps.db, async (trx) => {
      const locked = await lockPort(trx, externalId)
      const whyNow = locked ? await whyNotAgain(trx, locked, service.released_at) : 'No transfer found.'
      if (!locked || whyNow) return { outcome: 'impossible', why: whyNow ?? 'No transfer found.' }
      if (locked.status === 'NEW') await replace(trx, deps, locked, actor)
      const form: PortingForm = value
      return { outcome: 'requested', externalId: await requestNextPort(trx, deps, { service, form, actor }) }
    })
  } catch (error) {
    if (error instanceof Refusal && error.status === 400)
      return { outcome: 'invalid', errors: error.body as FieldErrors }
    if (isUniqueViolation(error)) return { outcome: 'impossible', why: underWay }
    throw error
  }
}

const underWay = 'A transfer for this service is already in progress. Cancel it first.'

export async function whyNotAgain(db: Db | Trx, port: PortingRequest, releasedAt: Date | null): Promise<string | null> {
  const latest = await latestPort(db, port.service_id)
  if (releasedAt) return 'The customer no longer has the service of this transfer.'
  if (latest?.id !== port.id) return `This transfer was already requested again: ${latest?.external_id ?? ''}.`
  if (port.status === 'COMPLETED') return 'This transfer is complete: the number is with us.'
  if (hasNotCome(port.status) || (port.status === 'NEW' && port.handed_in_at === null)) return null
  return underWay
}

function corrected(sent: LastPort, correction: Correction): LastPort {
  const { prepaid_sim_number: sim, account_number: account } = correction
  const changed = { ...sent, ...correction }
  if (sim !== undefined && account === undefined) return { ...changed, billing_method: billingMethods.prepay }
  if (account !== undefined && sim === undefined) return { ...changed, billing_method: billingMethods.account }
  return changed
}

/** The network never received this transfer, and the customer is notified when its replacement ends. */
async function replace(trx: Trx, deps: PortingDeps, port: PortingRequest, actor: Actor): Promise<void> {
  const now = deps.clock.now()
  const moved = await movePort(trx, port, 'cancelled', { ended_at: toDate(now) })
  if (!moved) throw new Error('a transfer was moved that was locked')
  await freeNumber(trx, port.service_id)
  await insertPortEvent(trx, moved, { event: 'replaced', actor }, now)
}
