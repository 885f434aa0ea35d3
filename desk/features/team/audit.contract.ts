import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { calendarDaySchema } from '#kit/contract/day-schema.ts'
import { maxSearchTextLength } from '#desk/features/search/search.contract.ts'

export const auditEntryTypes = ['acts', 'looks'] as const
export type AuditEntryType = (typeof auditEntryTypes)[number]

const linkSchema = v.object({ text: v.string(), path: v.nullable(v.string()) })

const rowSchema = v.object({
  key: v.string(),
  at: v.string(),
  who: v.string(),
  what: v.string(),
  why: v.string(),
  /** What the audit entry is about, apart from the customer. `path` is set only for staff who may open it. */
  subject: v.nullable(linkSchema),
  /** The customer whom the entry is about: their masked name or, for staff who may not see customers, the end of their ID. */
  customer: v.nullable(linkSchema),
})
export type AuditTrailRow = v.InferOutput<typeof rowSchema>

export const auditMessages = {
  customer: 'A customer ID has 36 characters. You can find it in the address of the customer’s page.',
  day: 'Please enter a day, such as 2026-11-26.',
  q: 'Your search is too long. Please shorten it.',
} as const

export const maxFileRows = 10_000

const auditFilterFields = {
  of: v.optional(v.picklist(auditEntryTypes)),
  person: v.optional(v.pipe(v.string(), v.maxLength(36))),
  act: v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,60}$/))),
  customer: v.optional(v.pipe(v.string(), v.uuid(auditMessages.customer))),
  day: v.optional(calendarDaySchema(auditMessages.day)),
  /** A customer's name, email address, number, order code or ID. Only for staff who may see customers. */
  q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(maxSearchTextLength, auditMessages.q))),
}

export const readAudit = endpoint({
  method: 'GET',
  path: '/api/desk/audit/',
  summary: 'Returns what staff did and viewed, newest first, 50 per page. Reading the log is itself logged',
  query: v.object({
    ...auditFilterFields,
    before: v.optional(v.pipe(v.string(), v.maxLength(140))),
  }),
  output: v.object({
    rows: v.array(rowSchema),
    next: v.nullable(v.string()),
    people: v.array(v.object({ id: v.string(), name: v.string() })),
    acts: v.array(v.object({ code: v.string(), text: v.string() })),
    /** The customers whom the filter selects, with masked names. `more_customers` means that further customers match the text in `q`. */
    customers: v.array(v.object({ id: v.string(), name: v.string() })),
    more_customers: v.boolean(),
  }),
})
export type AuditTrail = v.InferOutput<typeof readAudit.output>

export const downloadAudit = endpoint({
  method: 'POST',
  path: '/api/desk/audit/file/',
  summary: `Returns the newest ${maxFileRows} rows of the audit log, at most, as a CSV file. The download is logged`,
  query: v.object(auditFilterFields),
  output: v.any(),
})
