import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { decimalAmountSchema } from '#kit/contract/schema.ts'
import { noticeKinds } from '#features/notices/notices.contract.ts'
import { createNoteSchema } from '#desk/features/staff/note.contract.ts'

export const todayMessages = {
  gone: 'This task is already done.',
  taken: (name: string) => `${name} has already taken this task.`,
  leads: 'Only team leads can do this.',
  own: 'This task is about you. Another team lead has to handle it.',
  note: 'Please enter the result.',
} as const

const taskSchema = v.object({
  id: v.string(),
  kind: v.string(),
  kind_words: v.string(),
  reason: v.string(),
  created: v.string(),
  age_seconds: v.number(),
  due: v.nullable(v.string()),
  is_late: v.boolean(),
  owner: v.nullable(v.object({ name: v.string(), is_own: v.boolean() })),
  /** `order` (a code) and `customer_id` identify what the task is about. Both are `null` for staff who may not see customers. */
  order: v.nullable(v.string()),
  customer_id: v.nullable(v.string()),
  port: v.nullable(v.string()),
  name: v.nullable(v.string()),
  /** Whether the task concerns a colleague. Only team leads see such a task, and finishing it needs a note. */
  for_leads: v.boolean(),
  why_not: v.nullable(v.string()),
  /** The id of the staff member whose audit trail the task concerns; `null` for a task that is not only for team leads. */
  trail_of: v.nullable(v.string()),
})
export type Task = v.InferOutput<typeof taskSchema>

export const taskLists = ['all', 'free', 'mine'] as const
export type TaskList = (typeof taskLists)[number]

/** A figure for today so far, and for the same weekday a week ago up to the same time of day. */
const comparedFigureSchema = v.object({ now: v.number(), before: v.number() })

const hourSchema = v.object({ hour: v.number(), renewed: v.number(), activated: v.number(), before: v.number() })

const stockSchema = v.object({
  /** The plan that the vouchers are for; `null` for SIM packs. */
  plan: v.nullable(v.string()),
  unused: v.number(),
  /** Days until the stock runs out. `null` if nothing was used, because the pace is then unknown. */
  days: v.nullable(v.number()),
})
export type StockEntry = v.InferOutput<typeof stockSchema>

const figuresSchema = v.object({
  /** The figures count events up to this ISO 8601 instant. */
  at: v.string(),
  weekday: v.string(),
  activated: comparedFigureSchema,
  renewed: v.object({ ...comparedFigureSchema.entries, by_themselves: v.number() }),
  /** Sums of money; `null` for staff outside finance. */
  money: v.nullable(
    v.object({ taken: decimalAmountSchema(), taken_before: decimalAmountSchema(), given: decimalAmountSchema() }),
  ),
  payments: v.object({ asked: v.number(), refused: v.number(), asked_before: v.number(), refused_before: v.number() }),
  transfers: v.object({ open: v.number(), late: v.number() }),
  hours: v.array(hourSchema),
  refusals: v.array(v.object({ why: v.string(), times: v.number() })),
  stock: v.array(stockSchema),
  /**
   * How long the oldest due job has been waiting. `jobs` is `null` if the database did not respond in time, and
   * `oldest_seconds` is `null` if no job is waiting.
   */
  jobs: v.nullable(v.object({ oldest_seconds: v.nullable(v.number()) })),
})
export type Figures = v.InferOutput<typeof figuresSchema>

const halfHourSchema = v.object({ ok: v.number(), slow: v.number(), failed: v.number() })

export const providerSchema = v.object({
  service: v.string(),
  words: v.string(),
  /** Since when the service has not been responding; `null` if it is responding. */
  failing_since: v.nullable(v.string()),
  failures: v.number(),
  last_failure: v.nullable(v.string()),
  /** The last 48 half hours, oldest first. */
  slots: v.array(halfHourSchema),
  /**
   * Response time in milliseconds: the highest 95th percentile of any minute in the most recent half hour with requests.
   * `null` if there were no requests.
   */
  p95_ms: v.nullable(v.number()),
  notice: v.object({ kind: v.picklist(noticeKinds), is_said: v.boolean() }),
})
export type ProviderStatus = v.InferOutput<typeof providerSchema>

export const readToday = endpoint({
  method: 'GET',
  path: '/api/desk/today/',
  summary: 'Returns today’s figures so far, compared with a week ago, and the status of the providers',
  output: v.object({
    figures: figuresSchema,
    runs: v.array(providerSchema),
    /** ISO 8601 instant in real time at which `runs` was read. The newest half hour contains this instant. */
    runs_at: v.string(),
  }),
})

export const listTasks = endpoint({
  method: 'GET',
  path: '/api/desk/tasks/',
  summary: 'Lists open tasks of one kind, or of all kinds for any other value: due tasks first, then the oldest',
  query: v.object({ kind: v.optional(v.pipe(v.string(), v.maxLength(30))) }),
  output: v.object({
    tasks: v.array(taskSchema),
    has_more: v.boolean(),
    /** How many tasks of each kind are open, whichever kind is listed. A kind without open tasks is left out. */
    kinds: v.array(v.object({ kind: v.string(), words: v.string(), count: v.number() })),
  }),
})
export type OpenTasks = v.InferOutput<typeof listTasks.output>

const id = v.object({ id: v.pipe(v.string(), v.uuid()) })

export const takeTask = endpoint({
  method: 'POST',
  path: '/api/desk/tasks/:id/take/',
  summary: 'Assigns an unassigned task to the signed-in person',
  params: id,
  output: v.object({}),
})

export const maxTasksPerRequest = 200

export const takeTasks = endpoint({
  method: 'POST',
  path: '/api/desk/tasks/take/',
  summary: `Assigns up to ${maxTasksPerRequest} unassigned tasks to the signed-in person, and says why others could not be assigned`,
  body: v.object({ ids: v.pipe(v.array(id.entries.id), v.minLength(1), v.maxLength(maxTasksPerRequest)) }),
  output: v.object({
    taken: v.array(v.string()),
    not_taken: v.array(v.object({ id: v.string(), why: v.string() })),
  }),
})

export const handBackTask = endpoint({
  method: 'POST',
  path: '/api/desk/tasks/:id/hand-back/',
  summary: 'Unassigns a task. Only its owner or a team lead can do this',
  params: id,
  output: v.object({}),
})

export const endTask = endpoint({
  method: 'POST',
  path: '/api/desk/tasks/:id/done/',
  summary: 'Closes a task',
  params: id,
  body: v.object({ note: createNoteSchema() }),
  output: v.object({}),
})
