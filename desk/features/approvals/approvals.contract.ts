import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { decimalAmountSchema } from '#kit/contract/schema.ts'
import { confirmationFields } from '#desk/features/staff/confirmation.contract.ts'
import { roles } from '#desk/features/staff/staff.contract.ts'
import { createNoteSchema } from '#desk/features/staff/note.contract.ts'

/** Maximum number of open requests per person. The page can list many more, so one person cannot fill it. */
export const maxOpenRequests = 25

export const approvalMessages = {
  own: 'You can’t decide on your own request. Ask a colleague to decide.',
  notYours: 'Ask a team lead or someone in finance to decide.',
  admins: 'Ask another admin or a team lead to decide.',
  aboutYou: 'This request is about you. Another admin or a team lead has to decide.',
  ownLimits: 'These limits apply to a role you have. An admin or a team lead without that role has to decide.',
  sharedInfluence: (name: string): string =>
    [
      `You can’t approve this yet. In the last 7 days, ${name} requested an invitation or roles that took effect`,
      'for you or the requester, directly or through other colleagues. Someone without this connection can approve it.',
    ].join(' '),
  decided: 'This request was already decided or has expired. Refresh to see it.',
  asked: 'This was already requested. The request is on Today until someone approves or declines it.',
  tooManyOpen: `You have ${maxOpenRequests} open requests. Wait until one is decided before you make another.`,
} as const

export const settlementOutcomeLabels = {
  payment: { paid: 'The money is reserved', not_paid: 'No money was reserved' },
  capture: { paid: 'The money was taken', not_paid: 'The money was not taken' },
  refund: { paid: 'The money was refunded', not_paid: 'The money was not refunded' },
} as const

const commonFields = {
  id: v.string(),
  /** What the request is about: an order code, a catalogue draft's number, a voucher batch, a role, or a staff member's email address. */
  subject: v.string(),
  asked_by: v.string(),
  reason: v.string(),
  note: v.string(),
  asked: v.string(),
  lapses: v.string(),
  /** Seconds since the request was made, and seconds until it lapses or takes effect, by the server's clock. */
  age_seconds: v.number(),
  left_seconds: v.number(),
  state: v.picklist(['open', 'approved', 'refused', 'lapsed']),
  decided_by: v.nullable(v.string()),
  /** The note left by the person who approved or declined the request. */
  words: v.nullable(v.string()),
  /** How many requests of this kind gave the same reason in the last 30 days, by the requester and by all staff. */
  same_reason: v.object({ asker: v.number(), all: v.number() }),
  /** Why the reader cannot approve the request, and until when. `null` if they can, and for their own requests. */
  cannot_approve: v.nullable(v.object({ why: v.string(), until: v.nullable(v.string()) })),
}

const staffRightsFields = { name: v.string(), roles: v.array(v.picklist(roles)), is_lead: v.boolean() }

const approvalSchema = v.variant('kind', [
  v.object({
    kind: v.literal('refund'),
    ...commonFields,
    amount: decimalAmountSchema(),
    paid: decimalAmountSchema(),
    title: v.string(),
    customer: v.string(),
  }),
  v.object({
    kind: v.literal('catalogue'),
    ...commonFields,
    path: v.string(),
    /** When the catalogue goes on sale. `null` means as soon as the request is approved. */
    from: v.nullable(v.string()),
    changes: v.number(),
    worse: v.array(v.string()),
    /** Some of the changes that are better for customers but go beyond what one person may decide, with figures. */
    better: v.array(v.string()),
    /** True if the draft was changed or deleted after the request was made. The request can then only be declined. */
    is_stale: v.boolean(),
  }),
  v.object({
    kind: v.literal('vouchers'),
    ...commonFields,
    title: v.string(),
    count: v.number(),
    expires: v.string(),
    /** The total current price of the plans that these vouchers pay for. */
    worth: decimalAmountSchema(),
  }),
  v.object({
    kind: v.literal('settlement'),
    ...commonFields,
    of: v.picklist(['payment', 'capture', 'refund']),
    said: v.picklist(['paid', 'not_paid']),
    amount: decimalAmountSchema(),
    /**
     * Our reference for the payment, capture or refund, and the gateway's own reference, which the requester read on
     * the gateway's site.
     */
    reference: v.string(),
    psp_reference: v.string(),
    title: v.string(),
    customer: v.string(),
  }),
  v.object({
    kind: v.literal('limits'),
    ...commonFields,
    role: v.picklist(['support', 'finance']),
    from_order: decimalAmountSchema(),
    from_day: decimalAmountSchema(),
    to_order: decimalAmountSchema(),
    to_day: decimalAmountSchema(),
    is_stale: v.boolean(),
  }),
  v.object({
    kind: v.literal('staff'),
    ...commonFields,
    act: v.picklist(['invite', 'roles']),
    /** The person's name and roles before the change. `null` if the request invites someone new; `subject` is then their email address. */
    before: v.nullable(v.object({ ...staffRightsFields, suspended: v.boolean() })),
    after: v.object(staffRightsFields),
    is_stale: v.boolean(),
  }),
])
export type Approval = v.InferOutput<typeof approvalSchema>
export type ApprovalOfKind<Kind extends Approval['kind']> = Extract<Approval, { kind: Kind }>

export const listApprovals = endpoint({
  method: 'GET',
  path: '/api/desk/approvals/',
  summary: 'Lists the requests that the signed-in person can decide on, and the status of their own requests',
  output: v.object({ to_decide: v.array(approvalSchema), own: v.array(approvalSchema) }),
})

const id = v.object({ id: v.pipe(v.string(), v.uuid()) })

export const decideApproval = endpoint({
  method: 'POST',
  path: '/api/desk/approvals/:id/decide/',
  summary:
    'Approves or declines another person’s request. An approved request is carried out at once and recorded under both people’s names',
  params: id,
  body: v.object({ decision: v.picklist(['approved', 'refused']), words: createNoteSchema(), ...confirmationFields() }),
  output: v.object({
    /** The gateway's response to an approved refund. `null` for other kinds of request. */
    outcome: v.nullable(v.picklist(['received', 'unknown', 'refused'])),
    why: v.nullable(v.string()),
  }),
})

export const withdrawApproval = endpoint({
  method: 'POST',
  path: '/api/desk/approvals/:id/withdraw/',
  summary: 'Cancels an open request that the signed-in person made',
  params: id,
  output: v.object({}),
})

export const markApprovalSeen = endpoint({
  method: 'POST',
  path: '/api/desk/approvals/:id/seen/',
  summary: 'Marks the result of a request as read by its requester',
  params: id,
  output: v.object({}),
})

export const approvalActionName = (id: string): string => `approve ${id}`
