import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { portingFormSchemas } from './porting.contract.ts'

export const portServiceMessages = {
  underWay: 'A Number Transfer for this service is already under way.',
  done: 'This service already has a transferred Phone Number.',
  none: 'No Number Transfer of this service is under way.',
  tooLate: 'This Number Transfer can’t be cancelled any more: it is confirmed, and the number is on its way.',
} as const

const params = v.object({ uuid: v.pipe(v.string(), v.maxLength(100)) })

export const portService = endpoint({
  method: 'POST',
  path: '/api/services/port/:uuid/',
  summary: 'Asks for a number of another provider to be moved to this service',
  params,
  // The route validates the body with the schema of its own market.
  body: portingFormSchemas.NZ,
  output: v.object({ status: v.picklist([1, 2, 3, 4]) }),
})

const lastPortSchema = v.object({
  /** In national format. */
  msisdn: v.string(),
  provider: v.string(),
  billing_method: v.picklist([1, 2]),
  prepaid_sim_number: v.string(),
  account_number: v.string(),
})
export type LastPort = v.InferOutput<typeof lastPortSchema>

export const readLastPort = endpoint({
  method: 'GET',
  path: '/api/services/port/:uuid/',
  summary: 'What was sent for the last transfer, if that has failed: to be mended and sent again',
  params,
  output: v.nullable(lastPortSchema),
})

export const cancelOwnPort = endpoint({
  method: 'DELETE',
  path: '/api/services/port/:uuid/',
  summary: 'Calls the transfer of this service off, while the network still can; 202 when it has not said yet',
  params,
  output: v.object({ status: v.picklist([1, 2, 3, 4]) }),
  statuses: { 202: v.object({ status: v.picklist([1, 2, 3, 4]) }) },
})

export const acknowledgePortFailure = endpoint({
  method: 'POST',
  path: '/api/services/acknowledge_port_failure/:uuid/',
  summary: 'The customer has read that the transfer failed; its banner goes',
  params,
  body: v.object({}),
  output: v.object({ failure_acknowledged_at: v.nullable(v.string()) }),
})
