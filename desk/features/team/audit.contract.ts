import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { typedDay } from '#kit/contract/typed-day.ts'

/** What the trail can be narrowed to: what was done, or what was looked at. */
export const trailKinds = ['acts', 'looks'] as const
export type TrailKind = (typeof trailKinds)[number]

const rowSchema = v.object({
  key: v.string(),
  at: v.string(),
  who: v.string(),
  what: v.string(),
  why: v.string(),
  /** Whom or what it was about; with a path only for who may go there. */
  subject: v.nullable(v.object({ text: v.string(), path: v.nullable(v.string()) })),
})
export type TrailRow = v.InferOutput<typeof rowSchema>

export const auditMessages = {
  customer: 'A customer’s id is 36 characters, as in the address of their page.',
  day: 'Please enter a day, as 2026-11-26.',
} as const

/** So many rows a file has at most, the newest. */
export const mostFileRows = 10_000

const filters = {
  of: v.optional(v.picklist(trailKinds)),
  person: v.optional(v.pipe(v.string(), v.maxLength(36))),
  /** One act, or one kind of look, by its code. */
  act: v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,60}$/))),
  customer: v.optional(v.pipe(v.string(), v.uuid(auditMessages.customer))),
  /** Of the market. */
  day: v.optional(typedDay(auditMessages.day)),
}

export const readAudit = endpoint({
  method: 'GET',
  path: '/api/desk/audit/',
  summary: 'What staff did and looked at, the newest first, fifty at once; that somebody asked is written down',
  query: v.object({
    ...filters,
    before: v.optional(v.pipe(v.string(), v.maxLength(140))),
  }),
  output: v.object({
    rows: v.array(rowSchema),
    next: v.nullable(v.string()),
    people: v.array(v.object({ id: v.string(), name: v.string() })),
    /** What the trail can be narrowed to, as codes and in words. */
    acts: v.array(v.object({ code: v.string(), text: v.string() })),
  }),
})
export type Trail = v.InferOutput<typeof readAudit.output>

export const downloadAudit = endpoint({
  method: 'POST',
  path: '/api/desk/audit/file/',
  summary: `The same as a CSV file, the newest ${mostFileRows} rows; that it was taken is an act of its own`,
  query: v.object(filters),
  output: v.any(),
})
