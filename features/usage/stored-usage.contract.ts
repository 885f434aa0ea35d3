import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { usageSummarySchema, serviceIdSchema } from './usage.contract.ts'

/**
 * The last usage data from the network for a service, or for a customer's only service, without a new request to the
 * network. Used when the server renders pages; not available over HTTP.
 */
export const readStoredUsage = endpoint({
  method: 'GET',
  path: '/pages/kept-use/',
  summary: 'Shows the last usage that the network reported for a service, or for the only service',
  query: v.object({ uuid: v.optional(serviceIdSchema) }),
  output: v.nullable(v.object({ uuid: v.string(), summary: usageSummarySchema })),
})
