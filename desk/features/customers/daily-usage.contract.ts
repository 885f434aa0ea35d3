import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

/** How many weeks to go back. `0` is the week that ends today. */
export const weeks = ['0', '1', '2', '3', '4'] as const
export type Week = (typeof weeks)[number]

const dailyUsageSchema = v.object({
  /** A calendar day in the market's time zone, as `YYYY-MM-DD`. */
  day: v.string(),
  megabytes: v.number(),
  call_seconds: v.number(),
  texts: v.number(),
})
export type DailyUsage = v.InferOutput<typeof dailyUsageSchema>

export const readDailyUsage = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/numbers/:service/days/',
  summary: 'Returns a week of usage per day, without called numbers. Answers 424 when the network does not respond',
  params: v.object({ id: v.string(), service: v.string() }),
  query: v.object({ week: v.optional(v.picklist(weeks), '0') }),
  output: v.object({
    /** Usage per day, oldest day first. */
    days: v.array(dailyUsageSchema),
    read: v.string(),
  }),
})
export type UsageWeek = v.InferOutput<typeof readDailyUsage.output>
