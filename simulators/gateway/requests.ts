import * as v from 'valibot'
import { Fault, isFaultCode } from './faults.ts'

// A schema's message is the code of the fault for its failure.
const text = (code: string) => v.pipe(v.optional(v.string(code), ''), v.nonEmpty(code))

const amount = (least: number) =>
  v.optional(
    v.object(
      {
        value: v.pipe(v.optional(v.number('137'), -1), v.safeInteger('137'), v.minValue(least, '137')),
        currency: v.pipe(v.optional(v.string('138'), ''), v.regex(/^[A-Z]{3}$/, '138')),
      },
      '137',
    ),
    {},
  )

const contracts = ['ONECLICK', 'RECURRING', 'ONECLICK,RECURRING'] as const

export const authoriseRequest = v.object({
  merchantAccount: text('901'),
  reference: text('130'),
  amount: amount(0),
  shopperReference: v.optional(v.string('121'), ''),
  shopperInteraction: v.optional(v.string(), 'Ecommerce'),
  selectedRecurringDetailReference: v.optional(v.string('803')),
  recurring: v.optional(v.object({ contract: v.picklist(contracts, '183') }, '183')),
  additionalData: v.optional(v.record(v.string(), v.string('186'), '186'), {}),
  // Unencrypted cards require a permission that this account lacks.
  card: v.optional(v.never('010')),
})
export type AuthoriseRequest = v.InferOutput<typeof authoriseRequest>

const modification = {
  merchantAccount: text('901'),
  originalReference: text('167'),
  reference: v.optional(v.string(), ''),
}

export const amountRequest = v.object({ ...modification, modificationAmount: amount(1) })

export const cancelRequest = v.object({ ...modification, modificationAmount: v.optional(v.never('166')) })

export const technicalCancelRequest = v.object({
  merchantAccount: text('901'),
  originalMerchantReference: text('158'),
  reference: v.optional(v.string(), ''),
})

export const disableRequest = v.object({
  merchantAccount: text('901'),
  shopperReference: text('121'),
  recurringDetailReference: text('803'),
})

/** @throws Fault with the code of the first failed check, or 702 if the body has another shape */
export function readRequest<S extends v.GenericSchema<unknown, { merchantAccount: string }>>(
  schema: S,
  merchantAccount: string,
  body: unknown,
): v.InferOutput<S> {
  const result = v.safeParse(schema, body, { abortEarly: true })
  if (!result.success) {
    const code = result.issues[0].message
    throw new Fault(isFaultCode(code) ? code : '702')
  }
  if (result.output.merchantAccount !== merchantAccount) throw new Fault('901')
  return result.output
}
