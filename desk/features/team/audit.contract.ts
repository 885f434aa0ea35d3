import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

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

export const readAudit = endpoint({
  method: 'GET',
  path: '/api/desk/audit/',
  summary: 'What staff did and looked at, the newest first, fifty at once; that somebody asked is written down',
  query: v.object({
    of: v.optional(v.picklist(trailKinds)),
    person: v.optional(v.pipe(v.string(), v.maxLength(36))),
    before: v.optional(v.pipe(v.string(), v.maxLength(140))),
  }),
  output: v.object({
    rows: v.array(rowSchema),
    next: v.nullable(v.string()),
    people: v.array(v.object({ id: v.string(), name: v.string() })),
  }),
})
export type Trail = v.InferOutput<typeof readAudit.output>
