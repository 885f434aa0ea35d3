import type { Actor } from '#kit/server/actor.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { toDate } from '#kit/server/clock.ts'
import { type Db, isUniqueViolation, transact, type Trx } from '#kit/server/db.ts'
import { parseRequestPart } from '#kit/server/parse-request-part.ts'
import { HttpError } from '#kit/server/http-error.ts'
import { findService } from '#features/services/server/services.store.ts'
import { billingMethods, type PortingForm, portingFormSchemas } from '../porting.contract.ts'
import type { LastPort } from '../port-service.contract.ts'
import { hasEndedWithoutTransfer } from '../porting.states.ts'
import { getPortDestination, insertNextPort } from './port-service.ts'
import type { PortingDeps } from './porting.deps.ts'
import { insertPortEvent } from './porting-events.store.ts'
import { presentPortForm } from './porting.present.ts'
import { findPortByExternalId, findLatestPort, lockPort, transitionPort, type PortingRequest } from './porting.store.ts'
import { validateTransfer } from './porting.ts'
import { releaseNumber } from './reserved-numbers.store.ts'

/** Corrected transfer details. Setting `prepaid_sim_number` or `account_number` also determines the billing method. */
export type PortCorrection = Partial<Omit<LastPort, 'billing_method'>>

export type ResubmitOutcome =
  | { outcome: 'requested'; externalId: string }
  | { outcome: 'invalid'; errors: FieldErrors }
  | { outcome: 'impossible'; why: string }

/**
 * Requests a failed or cancelled transfer again with corrected details, which are validated like the customer's form.
 * This creates a new request and leaves the previous one unchanged. A transfer that was never submitted is replaced.
 */
export async function resubmitPort(
  deps: PortingDeps,
  { externalId, correction }: { externalId: string; correction: PortCorrection },
  actor: Actor,
): Promise<ResubmitOutcome> {
  const port = await findPortByExternalId(deps.db, externalId)
  const service = port && (await findService(deps.db, port.service_id))
  const why = service ? await findReasonNotToResubmit(deps.db, port, service.released_at) : 'No transfer found.'
  if (!port || !service || why) return { outcome: 'impossible', why: why ?? 'No transfer found.' }
  const { value, right, errors } = parseRequestPart(
    portingFormSchemas[deps.market.phoneRegion],
    applyCorrection(presentPortForm(port), correction),
  )
  const fieldErrors = { ...(await validateTransfer(deps, getPortDestination(service), right)), ...errors }
  if (Object.keys(fieldErrors).length > 0) return { outcome: 'invalid', errors: fieldErrors }
  try {
    return await transact(deps.db, async (trx) => {
      const lockedPort = await lockPort(trx, externalId)
      const currentRejectionReason = lockedPort
        ? await findReasonNotToResubmit(trx, lockedPort, service.released_at)
        : 'No transfer found.'
      if (!lockedPort || currentRejectionReason)
        return { outcome: 'impossible', why: currentRejectionReason ?? 'No transfer found.' }
      if (lockedPort.status === 'NEW') await cancelUnsentPort(trx, deps, lockedPort, actor)
      const form: PortingForm = value
      return { outcome: 'requested', externalId: await insertNextPort(trx, deps, { service, form, actor }) }
    })
  } catch (error) {
    if (error instanceof HttpError && error.status === 400)
      return { outcome: 'invalid', errors: error.body as FieldErrors }
    if (isUniqueViolation(error)) return { outcome: 'impossible', why: transferOpenMessage }
    throw error
  }
}

const transferOpenMessage = 'A transfer for this service is already in progress. Cancel it first.'

export async function findReasonNotToResubmit(
  db: Db | Trx,
  port: PortingRequest,
  releasedAt: Date | null,
): Promise<string | null> {
  const latestPort = await findLatestPort(db, port.service_id)
  if (releasedAt) return 'The customer no longer has the service that this transfer is for.'
  if (latestPort?.id !== port.id) return `This transfer was already requested again: ${latestPort?.external_id ?? ''}.`
  if (port.status === 'COMPLETED') return 'This transfer is complete: the number is with us.'
  if (hasEndedWithoutTransfer(port.status) || (port.status === 'NEW' && port.handed_in_at === null)) return null
  return transferOpenMessage
}

function applyCorrection(sent: LastPort, correction: PortCorrection): LastPort {
  const { prepaid_sim_number: simNumber, account_number: accountNumber } = correction
  const changedForm = { ...sent, ...correction }
  if (simNumber !== undefined && accountNumber === undefined)
    return { ...changedForm, billing_method: billingMethods.prepay }
  if (accountNumber !== undefined && simNumber === undefined)
    return { ...changedForm, billing_method: billingMethods.account }
  return changedForm
}

/** Cancels a transfer that the network never received. The customer is told only about the new transfer. */
async function cancelUnsentPort(trx: Trx, deps: PortingDeps, port: PortingRequest, actor: Actor): Promise<void> {
  const now = deps.clock.now()
  const moved = await transitionPort(trx, port, 'cancelled', { ended_at: toDate(now) })
  if (!moved) throw new Error('a transfer was moved that was locked')
  await releaseNumber(trx, port.service_id)
  await insertPortEvent(trx, moved, { event: 'replaced', actor }, now)
}
