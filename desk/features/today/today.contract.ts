import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { wireMoney } from '#kit/contract/schema.ts'
import { noticeKinds } from '#features/notices/notices.contract.ts'
import { noteText } from '#desk/features/staff/reasons.contract.ts'

export const todayMessages = {
  gone: 'This task is done already.',
  taken: (name: string) => `${name} has it already.`,
  leads: 'This is for leads.',
  own: 'It is about you: another lead sees to it.',
  note: 'Please say what came of it.',
} as const

const taskSchema = v.object({
  id: v.string(),
  kind: v.string(),
  kind_words: v.string(),
  reason: v.string(),
  created: v.string(),
  /** How long it has waited, as the server tells it. */
  age_seconds: v.number(),
  due: v.nullable(v.string()),
  is_late: v.boolean(),
  owner: v.nullable(v.object({ name: v.string(), is_own: v.boolean() })),
  /** Where it leads: an order's code, or a customer's id; neither for who sees no customers. */
  order: v.nullable(v.string()),
  customer_id: v.nullable(v.string()),
  /** A transfer's reference, for support. */
  port: v.nullable(v.string()),
  /** Whose it is, as a work list names its own rows. */
  name: v.nullable(v.string()),
  /** About a colleague: only leads see it, and what came of it has to be said. */
  for_leads: v.boolean(),
  /** Why the reader may not see to it. */
  why_not: v.nullable(v.string()),
  /** Whose trail it is about, for an admin. */
  trail_of: v.nullable(v.string()),
})
export type Task = v.InferOutput<typeof taskSchema>

export const taskLists = ['all', 'free', 'mine'] as const
export type TaskList = (typeof taskLists)[number]

/** A figure of today so far, and of the same weekday a week before at the same time. */
const figure = v.object({ now: v.number(), before: v.number() })

const hourSchema = v.object({ hour: v.number(), renewed: v.number(), activated: v.number(), before: v.number() })

/** For how long something lasts at the pace of 14 days. */
const stockSchema = v.object({
  /** Whose vouchers; null: SIM packs. */
  plan: v.nullable(v.string()),
  unused: v.number(),
  /** Null: none was used, and nobody knows. */
  days: v.nullable(v.number()),
})
export type StockOf = v.InferOutput<typeof stockSchema>

const figuresSchema = v.object({
  /** ISO 8601 instant until which they count. */
  at: v.string(),
  weekday: v.string(),
  activated: figure,
  renewed: v.object({ ...figure.entries, by_themselves: v.number() }),
  /** Only for finance. */
  money: v.nullable(v.object({ taken: wireMoney(), taken_before: wireMoney(), given: wireMoney() })),
  /** Payments that were asked for, and how many of them were refused. */
  payments: v.object({ asked: v.number(), refused: v.number(), asked_before: v.number(), refused_before: v.number() }),
  transfers: v.object({ open: v.number(), late: v.number() }),
  hours: v.array(hourSchema),
  /** Why payments were refused in seven days, the most frequent first. */
  refusals: v.array(v.object({ why: v.string(), times: v.number() })),
  /** SIM packs first, then vouchers by plan, of which those come first that run out first. */
  stock: v.array(stockSchema),
  /** For how long the oldest job that waits has; null: the database could not say in time. */
  jobs: v.nullable(v.object({ oldest_seconds: v.nullable(v.number()) })),
})
export type Figures = v.InferOutput<typeof figuresSchema>

/** Half an hour: how many calls were answered in time, slowly, and not at all. */
const slotSchema = v.object({ ok: v.number(), slow: v.number(), failed: v.number() })

export const runSchema = v.object({
  service: v.string(),
  words: v.string(),
  /** Since when nobody has had an answer; null: it answers. */
  failing_since: v.nullable(v.string()),
  failures: v.number(),
  last_failure: v.nullable(v.string()),
  /** The 48 half hours until now, the oldest first. */
  slots: v.array(slotSchema),
  /** Within which 95 of 100 calls were answered, in the last half hour that had any. */
  p95_ms: v.nullable(v.number()),
  /** What customers are told of it on the portal: the kind of the notice, and whether it stands. */
  notice: v.object({ kind: v.picklist(noticeKinds), is_said: v.boolean() }),
})
export type Run = v.InferOutput<typeof runSchema>

export const readToday = endpoint({
  method: 'GET',
  path: '/api/desk/today/',
  summary: 'The day so far beside the same weekday last week, and whether what we depend on answers',
  output: v.object({
    figures: figuresSchema,
    runs: v.array(runSchema),
    /** ISO 8601 instant, in real time, in which the newest half hour ends. */
    runs_at: v.string(),
  }),
})

export const listTasks = endpoint({
  method: 'GET',
  path: '/api/desk/tasks/',
  summary: 'What waits for a person: what is due first, then the oldest',
  output: v.object({ tasks: v.array(taskSchema), has_more: v.boolean() }),
})

const id = v.object({ id: v.pipe(v.string(), v.uuid()) })

export const takeTask = endpoint({
  method: 'POST',
  path: '/api/desk/tasks/:id/take/',
  summary: 'Takes a task that nobody has',
  params: id,
  output: v.object({}),
})

export const handBackTask = endpoint({
  method: 'POST',
  path: '/api/desk/tasks/:id/hand-back/',
  summary: 'Leaves a task to whoever takes it next; a lead does so with anybody’s',
  params: id,
  output: v.object({}),
})

export const endTask = endpoint({
  method: 'POST',
  path: '/api/desk/tasks/:id/done/',
  summary: 'Says that a task is done',
  params: id,
  body: v.object({ note: noteText() }),
  output: v.object({}),
})
