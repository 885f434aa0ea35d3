import * as v from 'valibot'
import { requiredEmail } from '#kit/contract/email.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { newPasswordSchema } from '#kit/contract/password.ts'
import { requiredText } from '#kit/contract/schema.ts'

export const demoResponses = [
  { value: 'success', label: 'Success' },
  { value: 'field', label: 'An error in one field' },
  { value: 'form', label: 'An error for the whole form' },
  { value: 'none', label: 'No response yet' },
]

export const demoMessages = {
  fullName: 'Please provide your full name.',
  porting:
    'Please choose whether you would like to Transfer (Port) your Existing Phone Number or use the Phone Number on the SIM pack.',
} as const

/** Validation rules and messages from section 5 of the specification, combined from several forms. */
export const demoSchema = v.object({
  full_name: v.pipe(
    requiredText(),
    v.check((name) => name === '' || /\s/.test(name), demoMessages.fullName),
  ),
  email: requiredEmail(),
  password: newPasswordSchema(),
  provider: requiredText(),
  setup_porting: v.boolean(demoMessages.porting),
  marketing_consent: v.boolean(),
  answer: v.string(),
})

export const demoValues = {
  full_name: '',
  email: '',
  password: '',
  provider: '',
  setup_porting: null as boolean | null,
  marketing_consent: false,
  answer: 'success',
}

export async function simulateResponse(answer: string, pendingResponse: Promise<void>): Promise<void> {
  if (answer === 'field') throw new ApiError(400, { email: ['This address can’t be used.'] })
  if (answer === 'form')
    throw new ApiError(400, {
      __all__: [
        {
          message: 'Something is wrong with the form as a whole.',
          actions: [{ url: 'https://example.com/', text: 'Why?' }],
        },
      ],
    })
  if (answer === 'none') await pendingResponse
}
