import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { requiredCode } from '#kit/contract/schema.ts'

export const codeLength = { least: 4, most: 8 } as const

export const portCodeMessages = {
  format: 'Please enter the code from the text: 4 to 8 digits.',
  wrong: 'This code wasn’t accepted. Please check the latest text and enter the code again.',
  /** Either the market does not use confirmation codes, or this transfer is not waiting for one. */
  notAwaited: 'This transfer doesn’t need a code right now. Please refresh the page to see its progress.',
  noAnswer: 'The network hasn’t answered yet, and your code may not have arrived. Please send it again.',
} as const

export const portCodeSchema = v.object({
  code: v.pipe(
    requiredCode(portCodeMessages.format),
    v.maxLength(codeLength.most, portCodeMessages.format),
    v.regex(/^\d{4,8}$/, portCodeMessages.format),
  ),
})

const portStatusSchema = v.object({ status: v.picklist([1, 2, 3, 4]) })

export const enterPortCode = endpoint({
  method: 'POST',
  path: '/api/services/port_code/:uuid/',
  summary:
    'Australia only: passes on the code texted to the number being transferred; 202 when the network has not answered',
  params: v.object({ uuid: v.pipe(v.string(), v.maxLength(100)) }),
  body: portCodeSchema,
  output: portStatusSchema,
  statuses: { 202: portStatusSchema },
})
