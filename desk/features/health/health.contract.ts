import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { providerSchema } from '#desk/features/today/today.contract.ts'

const queueSchema = v.object({
  queue: v.string(),
  waiting: v.number(),
  oldest_seconds: v.number(),
  failing: v.number(),
})
export type Queue = v.InferOutput<typeof queueSchema>

const overdueSweepSchema = v.object({ sweep: v.string(), seconds: v.number() })
export type OverdueSweep = v.InferOutput<typeof overdueSweepSchema>

const browserErrorSchema = v.object({
  fingerprint: v.string(),
  count: v.number(),
  name: v.string(),
  message: v.string(),
  top_frame: v.nullable(v.string()),
  page: v.string(),
  first_seen: v.string(),
  last_seen: v.string(),
})
export type BrowserError = v.InferOutput<typeof browserErrorSchema>

export const readHealth = endpoint({
  method: 'GET',
  path: '/api/desk/health/',
  summary: 'Returns the system status: providers, jobs, overdue work, browser errors and version',
  output: v.object({
    at: v.string(),
    runs: v.array(providerSchema),
    /** `queues` and `late` are `null` if the database did not respond in time. */
    queues: v.nullable(v.array(queueSchema)),
    late: v.nullable(v.array(overdueSweepSchema)),
    errors: v.array(browserErrorSchema),
    version: v.object({
      product: v.string(),
      node: v.string(),
      migration: v.string(),
      /** Why this version of the application cannot run with the current database schema. `null` if it can. */
      fault: v.nullable(v.string()),
    }),
  }),
})
export type Health = v.InferOutput<NonNullable<typeof readHealth.output>>
