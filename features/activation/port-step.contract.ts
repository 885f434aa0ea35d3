import { endpoint } from '#kit/contract/endpoint.ts'
import { portingFormSchemas } from '#features/porting/porting.contract.ts'
import { activationSchema } from './activation.contract.ts'

export const submitPort = endpoint({
  method: 'POST',
  path: '/api/activate/port/',
  summary: 'Saves the number to transfer and its current provider',
  // The route replaces this schema with the one for the configured market.
  body: portingFormSchemas.NZ,
  output: activationSchema,
})
