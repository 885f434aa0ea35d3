import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { requiredText } from '#kit/contract/schema.ts'

export const codeLength = { least: 4, most: 8 } as const

export const portCodeMessages = {
  format: 'Please enter the code from the text: 4 to 8 digits.',
  wrong: 'This code was not accepted. Please check it against the newest text, and enter it again.',
  /** The market uses no codes, or this transfer does not wait for a code now. */
  notAwaited: 'No code is waited for. Please refresh the page to see where the transfer stands.',
  noAnswer: 'The network has not answered yet, and your code may not have arrived. Please send it again.',
} as const

export const portCodeSchema = v.object({
  code: v.pipe(
    requiredText(portCodeMessages.format),
    v.maxLength(codeLength.most, portCodeMessages.format),
    v.regex(/^\d{4,8}$/, portCodeMessages.format),
  ),
})

const told = v.object({ status: v.picklist([1, 2, 3, 4]) })

export const enterPortCode = endpoint({
  method: 'POST',
  path: '/api/services/port_code/:uuid/',
  summary:
    'In Australia: hands on the code that was texted to the number that is to move; 202 when the network has not answered',
  params: v.object({ uuid: v.pipe(v.string(), v.maxLength(100)) }),
  body: portCodeSchema,
  output: told,
  statuses: { 202: told },
})
