import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { noticeKinds } from '#features/notices/notices.contract.ts'

/** What is wrong outside now, or said to be: a service that nobody has an answer from, or what customers are told on the portal. */
const incidentSchema = v.object({
  of: v.variant('kind', [
    v.object({ kind: v.literal('outage'), words: v.string() }),
    v.object({ kind: v.literal('notice'), about: v.picklist(noticeKinds) }),
  ]),
  since: v.string(),
  /** How many more there are. */
  others: v.number(),
})
export type Incident = v.InferOutput<typeof incidentSchema>

export const readWaits = endpoint({
  method: 'GET',
  path: '/api/desk/waits/',
  summary: 'How much waits for this person in each place of the desk, and what is wrong outside now',
  output: v.object({
    tasks: v.number(),
    /** What others have asked for that this person can decide about. */
    approvals: v.number(),
    /** Null: these are not for them. */
    ports: v.nullable(v.number()),
    disputes: v.nullable(v.number()),
    incident: v.nullable(incidentSchema),
  }),
})
export type Waits = v.InferOutput<typeof readWaits.output>
