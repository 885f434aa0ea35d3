import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const historyFilters = ['money', 'network', 'messages', 'account', 'staff'] as const
export type HistoryFilter = (typeof historyFilters)[number]

export const historyIcons = [
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
  icon: v.picklist(historyIcons),
  tone: v.picklist(tones),
  title: v.string(),
  detail: v.string(),
  /** `by` is the staff member who acted, or `null` if it was the customer or the system. `why` is the reason that the staff member gave. */
  by: v.nullable(v.string()),
  why: v.nullable(v.string()),
  order_code: v.nullable(v.string()),
  port: v.nullable(v.string()),
  /** The message's id if the message can be sent again; otherwise `null`. */
  message: v.nullable(v.string()),
  /** Whether sending the message again sends a copy with its original details, instead of composing it with current details. */
  is_sent_as_copy: v.boolean(),
})
export type HistoryEntry = v.InferOutput<typeof rowSchema>

export const cursorSchema = () => v.pipe(v.string(), v.maxLength(140))

export const historyPageSchema = v.object({ rows: v.array(rowSchema), next: v.nullable(v.string()) })
export type HistoryPage = v.InferOutput<typeof historyPageSchema>

export const readCustomerHistory = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/happened/',
  summary: 'Returns the history of a customer whose record is open, newest first, 50 per page',
  params: v.object({ id: v.string() }),
  query: v.object({ of: v.optional(v.picklist(historyFilters)), before: v.optional(cursorSchema()) }),
  output: historyPageSchema,
})
