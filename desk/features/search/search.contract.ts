import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

/** Types of search result, in the order in which they are shown. */
export const resultTypes = ['number', 'port', 'sim', 'card', 'customer', 'activation', 'order', 'voucher'] as const
export type ResultType = (typeof resultTypes)[number]

export const maxResultsPerGroup = 8
/** Maximum length of a search text. No value that can be searched for is longer. */
export const maxSearchTextLength = 254

const rowSchema = v.object({
  kind: v.picklist(resultTypes),
  hit: v.string(),
  /** Which part of `hit` matches the search text; `null` if that part is masked. */
  mark: v.nullable(v.object({ start: v.number(), length: v.number() })),
  /** The customer's name and email address, masked; empty if the result has no customer. */
  name: v.string(),
  email: v.string(),
  detail: v.string(),
  state: v.string(),
  href: v.string(),
})
export type ResultRow = v.InferOutput<typeof rowSchema>

const groupSchema = v.object({
  kind: v.picklist(resultTypes),
  title: v.string(),
  rows: v.array(rowSchema),
  more: v.boolean(),
  /** Whether the search was cancelled because it took too long. Results may then be missing. */
  too_long: v.boolean(),
})
export type ResultGroup = v.InferOutput<typeof groupSchema>

export const search = endpoint({
  method: 'GET',
  path: '/api/desk/search/',
  summary:
    'Finds numbers, SIMs, cards, customers, unfinished activations, orders and vouchers that match the search text. Searches are logged ' +
    'without it',
  query: v.object({
    q: v.pipe(
      v.optional(v.string(), ''),
      v.trim(),
      v.maxLength(maxSearchTextLength, 'Your search is too long. Please shorten it.'),
    ),
  }),
  output: v.object({
    groups: v.array(groupSchema),
    /** Whether the search text is an order code, or the beginning of one, that no order has. */
    order_missing: v.boolean(),
    took_ms: v.number(),
  }),
})
export type SearchResults = v.InferOutput<typeof search.output>
