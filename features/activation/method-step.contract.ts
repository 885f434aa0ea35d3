import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { formMessages } from '#kit/contract/errors.ts'
import { createFieldIssue } from '#kit/contract/schema.ts'
import { voucherCodeSchema, voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { activationSchema } from './activation.contract.ts'

export const methodStepSchema = v.pipe(
  v.object({
    method: v.pipe(v.optional(v.unknown(), null), v.picklist(['voucher', 'payment'], formMessages.required)),
    code: v.optional(v.string(voucherMessages.required), ''),
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { method, code } = dataset.value
    if (method === 'payment') return { method, code: null }
    const parsed = v.safeParse(voucherCodeSchema, code)
    if (parsed.success) return { method, code: parsed.output }
    for (const { message } of parsed.issues) addIssue(createFieldIssue(dataset.value, 'code', message))
    return NEVER
  }),
)

export const submitMethod = endpoint({
  method: 'POST',
  path: '/api/activate/method/',
  summary: 'Saves whether the visitor buys a plan now or uses a voucher',
  body: methodStepSchema,
  output: activationSchema,
})
