import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

/** What is found, in the order in which it is shown. */
export const foundKinds = ['number', 'port', 'sim', 'card', 'customer', 'order', 'voucher'] as const
export type FoundKind = (typeof foundKinds)[number]

export const mostInAGroup = 8
/** Longer is nothing that we keep. */
export const longestText = 254

const rowSchema = v.object({
  kind: v.picklist(foundKinds),
  /** What was hit, as far as it is shown. */
  hit: v.string(),
  /** The part of it that was looked for; null where that part is masked. */
  mark: v.nullable(v.object({ start: v.number(), length: v.number() })),
  /** Name and address, masked; nothing where it is nobody's. */
  name: v.string(),
  email: v.string(),
  detail: v.string(),
  /** In a word, what it is or where it stands. */
  state: v.string(),
  href: v.string(),
})
export type FoundRow = v.InferOutput<typeof rowSchema>

const groupSchema = v.object({
  kind: v.picklist(foundKinds),
  title: v.string(),
  rows: v.array(rowSchema),
  more: v.boolean(),
  /** It was given up: there may be more of these. */
  too_long: v.boolean(),
})
export type FoundGroup = v.InferOutput<typeof groupSchema>

export const search = endpoint({
  method: 'GET',
  path: '/api/desk/search/',
  summary:
    'Whom a text may mean: numbers, SIMs, cards, customers, orders and vouchers. That somebody looked is written down, not for what',
  query: v.object({
    q: v.pipe(v.optional(v.string(), ''), v.trim(), v.maxLength(longestText, 'That is too long to search for.')),
  }),
  output: v.object({ groups: v.array(groupSchema), took_ms: v.number() }),
})
export type Results = v.InferOutput<typeof search.output>
