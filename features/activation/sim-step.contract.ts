import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { createForEachRegion, parseMobile, phoneMaxLength } from '#kit/contract/phone.ts'
import { optionalCode, requiredCode } from '#kit/contract/schema.ts'
import { portingMessages } from '#features/porting/porting.contract.ts'
import { activationSchema } from './activation.contract.ts'

export const simStepMessages = {
  invalid: 'Invalid Phone Number (on the SIM pack). Please enter the Phone Number found on your SIM Pack.',
  region: {
    NZ: 'Please ensure you are using a New Zealand Phone Number (on the SIM pack).',
    AU: 'Please ensure you are using an Australian Phone Number (on the SIM pack).',
  },
  serial: 'Please enter the last 4 digits of your SIM Number.',
} as const

export const simStepSchemas = createForEachRegion((region) =>
  v.object({
    msisdn: v.pipe(
      requiredCode(),
      v.maxLength(phoneMaxLength, simStepMessages.invalid),
      v.check((typed) => typed === '' || parseMobile(typed, region) !== 'invalid', simStepMessages.invalid),
      v.check((typed) => parseMobile(typed, region) !== 'foreign', simStepMessages.region[region]),
    ),
    sim_serial: v.pipe(
      optionalCode(simStepMessages.serial),
      v.maxLength(4, simStepMessages.serial),
      v.regex(/^\d{4}$/, simStepMessages.serial),
    ),
    setup_porting: v.pipe(v.optional(v.unknown(), null), v.boolean(portingMessages.choice)),
  }),
)

export const submitSim = endpoint({
  method: 'POST',
  path: '/api/activate/sim/',
  summary: 'Starts or restarts an activation with a SIM pack',
  body: simStepSchemas.NZ,
  output: activationSchema,
})
