import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { noticeKinds } from '#features/notices/notices.contract.ts'

const incidentSchema = v.object({
  of: v.variant('kind', [
    v.object({ kind: v.literal('outage'), words: v.string() }),
    v.object({ kind: v.literal('notice'), about: v.picklist(noticeKinds) }),
  ]),
  since: v.string(),
  others: v.number(),
})
export type Incident = v.InferOutput<typeof incidentSchema>

export const readCounters = endpoint({
  method: 'GET',
  path: '/api/desk/waits/',
  summary:
    'Returns how many items in each section of the desk need the signed-in person’s attention, and any current incident',
  output: v.object({
    tasks: v.number(),
    approvals: v.number(),
    /** `ports` and `disputes` are `null` for staff who may not see number transfers or disputes. */
    ports: v.nullable(v.number()),
    disputes: v.nullable(v.number()),
    incident: v.nullable(incidentSchema),
  }),
})
export type Counters = v.InferOutput<typeof readCounters.output>
