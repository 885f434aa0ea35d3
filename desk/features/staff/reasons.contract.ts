import * as v from 'valibot'
import { createFieldIssue } from '#kit/contract/schema.ts'
import { createNoteSchema } from './note.contract.ts'

export const reasonNames = {
  outage: 'Outage or fault',
  'bought-twice': 'Bought twice',
  'wrong-plan': 'Wrong plan',
  'not-delivered': 'Not delivered',
  fraud: 'Fraud',
  goodwill: 'Goodwill',
  'customers-wish': 'Customer’s request',
  other: 'Other',
} as const
export type Reason = keyof typeof reasonNames

export const catalogueReasonNames = {
  prices: 'New prices',
  offer: 'New offer',
  correction: 'Correcting a mistake',
  other: 'Other',
} as const
export type CatalogueReason = keyof typeof catalogueReasonNames

export const voucherReasonNames = {
  retail: 'For shops',
  promotion: 'A promotion',
  goodwill: 'Goodwill',
  other: 'Other',
} as const
export type VoucherReason = keyof typeof voucherReasonNames

export const portReasonNames = {
  details: 'Wrong details sent',
  'no-answer': 'No answer in time',
  'customers-wish': 'Customer’s request',
  outage: 'Outage or fault',
  fraud: 'Fraud',
  other: 'Other',
} as const
export type PortReason = keyof typeof portReasonNames

export const reminderReason = 'no-answer-yet'
const reminderReasonNames = { [reminderReason]: 'No answer yet' } as const

export const disputeReasonNames = {
  used: 'It was delivered and used',
  undelivered: 'It was not delivered',
  'not-theirs': 'Not bought by the cardholder',
  'given-back': 'Already refunded',
  'too-small': 'Not worth contesting',
  'told-there': 'Outcome shown on the gateway’s site',
  other: 'Other',
} as const
export type DisputeReason = keyof typeof disputeReasonNames

export const settlementReasonNames = {
  'seen-there': 'Seen on the gateway’s site',
  'told-us': 'Confirmed by the gateway’s support',
  other: 'Other',
} as const
export type SettlementReason = keyof typeof settlementReasonNames

export const limitReasonNames = {
  'asked-often': 'Too many refunds need approval',
  'plans-dearer': 'Plans have become more expensive',
  'given-much': 'Too much refunded without approval',
  other: 'Other',
} as const
export type LimitReason = keyof typeof limitReasonNames

const staffReasonNames = {
  joins: 'New team member',
  'invited-again': 'New invitation',
  'other-roles': 'Role change',
} as const
export type StaffReason = keyof typeof staffReasonNames

export const reasons = Object.keys(reasonNames) as [Reason, ...Reason[]]
const voucherReasons = Object.keys(voucherReasonNames) as [VoucherReason, ...VoucherReason[]]
const catalogueReasons = Object.keys(catalogueReasonNames) as [CatalogueReason, ...CatalogueReason[]]

const portReasons = Object.keys(portReasonNames) as [PortReason, ...PortReason[]]

const disputeReasons = Object.keys(disputeReasonNames) as [DisputeReason, ...DisputeReason[]]
const limitReasons = Object.keys(limitReasonNames) as [LimitReason, ...LimitReason[]]
const settlementReasons = Object.keys(settlementReasonNames) as [SettlementReason, ...SettlementReason[]]

const allReasonNames: Readonly<Record<string, string>> = {
  ...staffReasonNames,
  ...limitReasonNames,
  ...disputeReasonNames,
  ...settlementReasonNames,
  ...portReasonNames,
  ...reminderReasonNames,
  ...catalogueReasonNames,
  ...voucherReasonNames,
  ...reasonNames,
}

export const getReasonName = (code: string): string | null =>
  Object.hasOwn(allReasonNames, code) ? (allReasonNames[code] ?? null) : null

const reasonMessages = {
  reason: 'Please choose a reason.',
  tooShort: 'Please explain the reason in a note of at least ten letters.',
} as const

/** A request body's reason fields: `{ ...reasonFields() }`. Wrap the whole schema in `checkReasonNote`, which validates them together. */
export const reasonFields = () => ({ reason: v.picklist(reasons, reasonMessages.reason), note: createNoteSchema() })

export const catalogueReasonFields = () => ({
  reason: v.picklist(catalogueReasons, reasonMessages.reason),
  note: createNoteSchema(),
})

export const voucherReasonFields = () => ({
  reason: v.picklist(voucherReasons, reasonMessages.reason),
  note: createNoteSchema(),
})

export const portReasonFields = () => ({
  reason: v.picklist(portReasons, reasonMessages.reason),
  note: createNoteSchema(),
})

export const disputeReasonFields = () => ({
  reason: v.picklist(disputeReasons, reasonMessages.reason),
  note: createNoteSchema(),
})

export const settlementReasonFields = () => ({
  reason: v.picklist(settlementReasons, reasonMessages.reason),
  note: createNoteSchema(),
})

export const limitReasonFields = () => ({
  reason: v.picklist(limitReasons, reasonMessages.reason),
  note: createNoteSchema(),
})

const minNoteLetters = 10
type ReasonInput = {
  reason:
    | Reason
    | CatalogueReason
    | VoucherReason
    | PortReason
    | DisputeReason
    | SettlementReason
    | LimitReason
    | StaffReason
  note: string
}

export const hasValidReason = ({ reason, note }: ReasonInput): boolean =>
  reason !== 'other' || (note.match(/\p{L}/gu)?.length ?? 0) >= minNoteLetters

export const checkReasonNote = <Form extends ReasonInput>() =>
  v.rawCheck<Form>(({ dataset, addIssue }) => {
    if (!dataset.typed || hasValidReason(dataset.value)) return
    const form: ReasonInput = dataset.value
    addIssue(createFieldIssue(form, 'note', reasonMessages.tooShort))
  })

export const formatStoredReason = ({ reason, note }: ReasonInput): string => (note ? `${reason}: ${note}` : reason)

export function reasonLabel(storedReason: string): string {
  const [code = '', ...rest] = storedReason.split(': ')
  const name = getReasonName(code)
  if (!name) return storedReason
  const note = rest.join(': ')
  return note ? `${name}: ${note}` : name
}
