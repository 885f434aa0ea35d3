import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { portingFormSchema } from './porting.contract.ts'

export const portServiceMessages = {
  underWay: 'A Number Transfer for this service is already under way.',
  done: 'This service already has a transferred Phone Number.',
} as const

const params = v.object({ uuid: v.pipe(v.string(), v.maxLength(100)) })

export const portService = endpoint({
  method: 'POST',
  path: '/api/services/port/:uuid/',
  summary: 'Asks for a number of another provider to be moved to this service',
  params,
  body: portingFormSchema,
  output: v.object({ status: v.picklist([1, 2, 3, 4]) }),
})

export const acknowledgePortFailure = endpoint({
  method: 'POST',
  path: '/api/services/acknowledge_port_failure/:uuid/',
  summary: 'The customer has read that the transfer failed; its banner goes',
  params,
  body: v.object({}),
  output: v.object({ failure_acknowledged_at: v.nullable(v.string()) }),
})
