import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

/** What the list of all that happened can be narrowed to. */
export const happenedChips = ['money', 'network', 'messages', 'account', 'staff'] as const
export type HappenedChip = (typeof happenedChips)[number]

export const happenedIcons = [
  'order',
  'money',
  'dispute',
  'number',
  'transfer',
  'mail',
  'text',
  'account',
  'staff',
  'look',
] as const
export const tones = ['plain', 'good', 'warn', 'bad'] as const
export type Tone = (typeof tones)[number]

const rowSchema = v.object({
  at: v.string(),
  icon: v.picklist(happenedIcons),
  tone: v.picklist(tones),
  title: v.string(),
  detail: v.string(),
  /** Who did it, where it was not the customer, and why. */
  by: v.nullable(v.string()),
  why: v.nullable(v.string()),
  order_code: v.nullable(v.string()),
  /** The transfer's reference, where it is one. */
  port: v.nullable(v.string()),
  /** Of a message that can be composed and sent anew. */
  message: v.nullable(v.string()),
})
export type HappenedRow = v.InferOutput<typeof rowSchema>

/** A place in a list, as it was handed out. */
export const placeText = () => v.pipe(v.string(), v.maxLength(140))

/** So many at once, and where the next begin. */
export const happenedPage = v.object({ rows: v.array(rowSchema), next: v.nullable(v.string()) })
export type HappenedPage = v.InferOutput<typeof happenedPage>

export const happened = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/happened/',
  summary: 'What happened to a customer who was opened, the newest first, fifty at once',
  params: v.object({ id: v.string() }),
  query: v.object({ of: v.optional(v.picklist(happenedChips)), before: v.optional(placeText()) }),
  output: happenedPage,
})
