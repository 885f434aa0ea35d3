import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { usageSummarySchema, uuid } from './usage.contract.ts'

/**
 * What the network said last of the use of one service, or of a customer's only one, without asking it: for pages that the server
 * renders, and served to nobody.
 */
export const readKeptUse = endpoint({
  method: 'GET',
  path: '/pages/kept-use/',
  summary: 'What the network said last of the use of a service, or of the only one',
  query: v.object({ uuid: v.optional(uuid) }),
  output: v.nullable(v.object({ uuid: v.string(), summary: usageSummarySchema })),
})
