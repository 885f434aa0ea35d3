import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { wireMoney } from '#kit/contract/schema.ts'
import { confirmFields } from '#desk/features/staff/confirm.contract.ts'
import { roles } from '#desk/features/staff/staff.contract.ts'
import { noteText } from '#desk/features/staff/reasons.contract.ts'

/** Open requests of one person. Far fewer than the list of open requests shows, so that nobody can fill it alone. */
export const maxOpenRequests = 25

export const approvalMessages = {
  own: 'Somebody else decides about what you asked for.',
  notYours: 'A lead, or somebody of finance, decides about that.',
  admins: 'Another admin or a lead decides about that.',
  aboutYou: 'This request is about you. Another admin or a lead decides about it.',
  ownLimits: 'These limits are for a role that you have. An admin or a lead without that role decides about them.',
  influenced: (name: string): string =>
    [
      `You can’t approve this yet. In the last 7 days, an invitation or roles requested by ${name} took effect`,
      'for you or the requester, directly or through other colleagues. Somebody without this link can approve it.',
    ].join(' '),
  decided: 'This has been decided, or it has lapsed: look at it again.',
  asked: 'This has been asked for already, and waits for a decision.',
  tooManyOpen: `You have ${maxOpenRequests} open requests. Wait until one is decided before you make another.`,
} as const

/** What somebody has seen at the gateway of a call without an outcome. */
export const settledWords = {
  payment: { paid: 'The money is reserved', not_paid: 'Nothing was reserved' },
  capture: { paid: 'The money was taken', not_paid: 'The money was not taken' },
  refund: { paid: 'The money went back', not_paid: 'The money did not go back' },
} as const

/** What is told of each, whatever is asked for. */
const asked = {
  id: v.string(),
  /** An order's code, the number of a catalogue's draft, a batch of vouchers, a role, or an e-mail address of staff. */
  subject: v.string(),
  asked_by: v.string(),
  reason: v.string(),
  note: v.string(),
  asked: v.string(),
  lapses: v.string(),
  /** How long it has waited, and will, as the server tells it. */
  age_seconds: v.number(),
  left_seconds: v.number(),
  state: v.picklist(['open', 'approved', 'refused', 'lapsed']),
  decided_by: v.nullable(v.string()),
  /** What the one who decided said. */
  words: v.nullable(v.string()),
  /** How often this reason was given with one of its kind in 30 days: by the asker, and by everybody. */
  same_reason: v.object({ asker: v.number(), all: v.number() }),
  /** Why the reader cannot approve it, and until when; null when they can, and for requests of their own. */
  cannot_approve: v.nullable(v.object({ why: v.string(), until: v.nullable(v.string()) })),
}

const rights = { name: v.string(), roles: v.array(v.picklist(roles)), is_lead: v.boolean() }

const approvalSchema = v.variant('kind', [
  v.object({
    kind: v.literal('refund'),
    ...asked,
    amount: wireMoney(),
    paid: wireMoney(),
    title: v.string(),
    customer: v.string(),
  }),
  v.object({
    kind: v.literal('catalogue'),
    ...asked,
    /** Where the draft, or the version that was made of it, is shown. */
    path: v.string(),
    /** From when it is to be for sale; null: as soon as it is approved. */
    from: v.nullable(v.string()),
    /** How many products it changes, and what customers would get less for, or pay more: some of them, in words. */
    changes: v.number(),
    worse: v.array(v.string()),
    /** What moves further in the customers’ favour than one person may decide, with figures: some of it. */
    better: v.array(v.string()),
    /** The draft is another by now, or gone: this can be refused only. */
    is_stale: v.boolean(),
  }),
  v.object({
    kind: v.literal('vouchers'),
    ...asked,
    title: v.string(),
    count: v.number(),
    /** The last day on which they are good. */
    expires: v.string(),
    /** What a customer pays for all these plans now. */
    worth: wireMoney(),
  }),
  v.object({
    kind: v.literal('settlement'),
    ...asked,
    of: v.picklist(['payment', 'capture', 'refund']),
    said: v.picklist(['paid', 'not_paid']),
    amount: wireMoney(),
    /** Ours, and what the asker has seen at the gateway. */
    reference: v.string(),
    psp_reference: v.string(),
    title: v.string(),
    customer: v.string(),
  }),
  v.object({
    kind: v.literal('limits'),
    ...asked,
    role: v.picklist(['support', 'finance']),
    from_order: wireMoney(),
    from_day: wireMoney(),
    to_order: wireMoney(),
    to_day: wireMoney(),
    /** They are others by now than when it was asked for: this can be refused only. */
    is_stale: v.boolean(),
  }),
  v.object({
    kind: v.literal('staff'),
    ...asked,
    act: v.picklist(['invite', 'roles']),
    /** Null: of somebody new, whose address is `subject`. */
    before: v.nullable(v.object({ ...rights, suspended: v.boolean() })),
    after: v.object(rights),
    /** The person is not as they were when it was requested: it can be declined only. */
    is_stale: v.boolean(),
  }),
])
export type Approval = v.InferOutput<typeof approvalSchema>
/** One of a kind. */
export type ApprovalOf<Kind extends Approval['kind']> = Extract<Approval, { kind: Kind }>

export const listApprovals = endpoint({
  method: 'GET',
  path: '/api/desk/approvals/',
  summary: 'What waits for this person’s decision, and what came of what they asked for themselves',
  output: v.object({ to_decide: v.array(approvalSchema), own: v.array(approvalSchema) }),
})

const id = v.object({ id: v.pipe(v.string(), v.uuid()) })

export const decideApproval = endpoint({
  method: 'POST',
  path: '/api/desk/approvals/:id/decide/',
  summary: 'Approves or refuses what another asked for; what is approved is done at once, in both names',
  params: id,
  body: v.object({ decision: v.picklist(['approved', 'refused']), words: noteText(), ...confirmFields() }),
  output: v.object({
    /** Of an approved refund. */
    outcome: v.nullable(v.picklist(['received', 'unknown', 'refused'])),
    why: v.nullable(v.string()),
  }),
})

export const withdrawApproval = endpoint({
  method: 'POST',
  path: '/api/desk/approvals/:id/withdraw/',
  summary: 'Takes back what the caller requested and nobody has decided yet',
  params: id,
  output: v.object({}),
})

export const seeApproval = endpoint({
  method: 'POST',
  path: '/api/desk/approvals/:id/seen/',
  summary: 'Says that the asker has read what came of it',
  params: id,
  output: v.object({}),
})

/** What a passkey confirms where approving needs it. */
export const approveAct = (id: string): string => `approve ${id}`
