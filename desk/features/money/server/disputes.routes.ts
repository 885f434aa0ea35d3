import { Readable } from 'node:stream'
import type { Colours } from '#kit/contract/brand.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import { conflict, notFound } from '#kit/server/http-error.ts'
import { acceptDispute, contestDispute } from '#features/disputes/server/answer-dispute.ts'
import { closeDisputeByOperator } from '#features/disputes/server/close-dispute.ts'
import type { DisputeDeps } from '#features/disputes/server/disputes.deps.ts'
import { recordAccess } from '#desk/features/access-alerts/server/access-alerts.ts'
import { formatStoredReason } from '#desk/features/staff/reasons.contract.ts'
import { deskFileRoute } from '#desk/features/staff/server/file-routes.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  acceptDispute as acceptCall,
  closeDispute,
  contestDispute as contestCall,
  downloadEvidence,
  readDispute,
} from '../disputes.contract.ts'
import { presentDispute } from './disputes.present.ts'
import { createEvidencePdf } from './evidence-pdf.ts'
import { readDisputeEvidence } from './evidence.view.ts'

export type DeskDisputeDeps = DisputeDeps & { market: Market; brandName: string; colours: Colours }

const financeOnly = { who: ['finance'] } as const

export const disputeRoutes = (deps: DeskDisputeDeps): DeskRoute[] => [
  deskRoute(readDispute, financeOnly, ({ staff, params }) => showDispute(deps, staff, params.reference)),
  deskFileRoute(downloadEvidence, financeOnly, async ({ staff, params: { reference } }) => {
    const { brandName, colours, market, clock } = deps
    const dispute = await showDispute(deps, staff, reference)
    const file = await createEvidencePdf(dispute, { brandName, colours, zone: market.zone, at: clock.now() })
    return { name: `evidence-${reference}.pdf`, type: 'application/pdf', content: Readable.from([file]) }
  }),
  deskRoute(acceptCall, financeOnly, async ({ staff, params: { reference }, body }) => {
    const actor = toStaffActor(staff, formatStoredReason(body))
    return requireSuccess(await acceptDispute(deps, { reference, note: body.note, actor }))
  }),
  deskRoute(contestCall, financeOnly, async ({ staff, params: { reference }, body }) => {
    const { evidence: evidenceReference, handed_in, note } = body
    const evidenceSubmittedAt = Temporal.PlainDate.from(handed_in)
      .toZonedDateTime({ timeZone: deps.market.zone })
      .toInstant()
    const actor = toStaffActor(staff, formatStoredReason(body))
    return requireSuccess(
      await contestDispute(deps, { reference, note, actor, evidenceReference, handedInAt: evidenceSubmittedAt }),
    )
  }),
  deskRoute(closeDispute, financeOnly, async ({ staff, params: { reference }, body }) => {
    const actor = toStaffActor(staff, formatStoredReason(body))
    return requireSuccess(
      await closeDisputeByOperator(deps, { reference, outcome: body.outcome, note: body.note || null, actor }),
    )
  }),
]

const notFoundMessage = 'This dispute doesn’t exist.'

/** Turns a failed action into an HTTP error. @throws 404, or 409 with the reason why the action failed */
function requireSuccess(result: object | { why: string }): Record<string, never> {
  if (!('why' in result)) return {}
  throw result.why === notFoundMessage ? notFound() : conflict(String(result.why))
}

/**
 * Returns a dispute, and records in the access log that this staff member saw it.
 * @throws 404 if there is no such dispute
 */
async function showDispute(deps: DeskDisputeDeps, staff: SignedInStaff, reference: string) {
  const found = await readDisputeEvidence(deps.db, reference)
  if (!found) throw notFound()
  const { user_id: userId } = found.whole.order
  await recordAccess(deps, staff, { act: 'dispute_seen', userId, subject: reference })
  return presentDispute(found, deps.market.zone)
}
