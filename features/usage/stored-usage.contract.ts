import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { usageSummarySchema, serviceIdSchema } from './usage.contract.ts'

/**
 * Reads the stored usage data of a service, or of a customer's only service, without a request to the network. The
 * server uses this endpoint to render pages; it is not available over HTTP.
 */
export const readStoredUsage = endpoint({
  method: 'GET',
  path: '/pages/kept-use/',
  summary: 'Shows the last usage that the network reported for a service, or for the customer’s only service',
  query: v.object({ uuid: v.optional(serviceIdSchema) }),
  output: v.nullable(v.object({ uuid: v.string(), summary: usageSummarySchema })),
})
