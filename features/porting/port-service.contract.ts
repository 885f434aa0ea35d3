import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { portingFormSchemas } from './porting.contract.ts'

export const portServiceMessages = {
  underWay: 'A Number Transfer for this service is already in progress.',
  done: 'This service already has a transferred Phone Number.',
  none: 'This service has no Number Transfer in progress.',
  tooLate: 'It’s too late to cancel this Number Transfer. It has been confirmed, and the number is on its way.',
} as const

const serviceParams = v.object({ uuid: v.pipe(v.string(), v.maxLength(100)) })

export const portService = endpoint({
  method: 'POST',
  path: '/api/services/port/:uuid/',
  summary: 'Requests the transfer of a number from another provider to this service',
  params: serviceParams,
  // The route validates the body with its own market's schema. The New Zealand schema only provides the type.
  body: portingFormSchemas.NZ,
  output: v.object({ status: v.picklist([1, 2, 3, 4]) }),
})

const lastPortSchema = v.object({
  /** The phone number in national format. */
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
  summary: 'Shows the details of the last transfer request, if it failed, so they can be corrected and sent again',
  params: serviceParams,
  output: v.nullable(lastPortSchema),
})

export const cancelOwnPort = endpoint({
  method: 'DELETE',
  path: '/api/services/port/:uuid/',
  summary:
    'Cancels the service’s number transfer while the network still allows it; 202 while the network has not answered',
  params: serviceParams,
  output: v.object({ status: v.picklist([1, 2, 3, 4]) }),
  statuses: { 202: v.object({ status: v.picklist([1, 2, 3, 4]) }) },
})

export const acknowledgePortFailure = endpoint({
  method: 'POST',
  path: '/api/services/acknowledge_port_failure/:uuid/',
  summary: 'Acknowledges a failed number transfer, which hides its banner',
  params: serviceParams,
  body: v.object({}),
  output: v.object({ failure_acknowledged_at: v.nullable(v.string()) }),
})
