import * as v from 'valibot'
import { AdyenFault, isFaultCode } from './faults.ts'

// In these schemas, each check's message is the fault code that the gateway returns when the check fails.
const requiredTextField = (code: string) => v.pipe(v.optional(v.string(code), ''), v.nonEmpty(code))

const amountSchema = (least: number) =>
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

const contractTypes = ['ONECLICK', 'RECURRING', 'ONECLICK,RECURRING'] as const

export const authoriseRequestSchema = v.object({
  merchantAccount: requiredTextField('901'),
  reference: requiredTextField('130'),
  amount: amountSchema(0),
  shopperReference: v.optional(v.string('121'), ''),
  shopperInteraction: v.optional(v.string(), 'Ecommerce'),
  selectedRecurringDetailReference: v.optional(v.string('803')),
  recurring: v.optional(v.object({ contract: v.picklist(contractTypes, '183') }, '183')),
  additionalData: v.optional(v.record(v.string(), v.string('186'), '186'), {}),
  // Reject unencrypted card data, because accepting it requires a permission that this merchant account does not have.
  card: v.optional(v.never('010')),
})
export type AuthoriseRequest = v.InferOutput<typeof authoriseRequestSchema>

const modificationFields = {
  merchantAccount: requiredTextField('901'),
  originalReference: requiredTextField('167'),
  reference: v.optional(v.string(), ''),
}

export const amountRequestSchema = v.object({ ...modificationFields, modificationAmount: amountSchema(1) })

export const cancelRequestSchema = v.object({ ...modificationFields, modificationAmount: v.optional(v.never('166')) })

export const technicalCancelSchema = v.object({
  merchantAccount: requiredTextField('901'),
  originalMerchantReference: requiredTextField('158'),
  reference: v.optional(v.string(), ''),
})

export const disableRequestSchema = v.object({
  merchantAccount: requiredTextField('901'),
  shopperReference: requiredTextField('121'),
  recurringDetailReference: requiredTextField('803'),
})

/** Validates a request's body. @throws Fault with the code for the first failed check, or 702 if the body has the wrong shape */
export function readRequest<S extends v.GenericSchema<unknown, { merchantAccount: string }>>(
  schema: S,
  merchantAccount: string,
  body: unknown,
): v.InferOutput<S> {
  const result = v.safeParse(schema, body, { abortEarly: true })
  if (!result.success) {
    const code = result.issues[0].message
    throw new AdyenFault(isFaultCode(code) ? code : '702')
  }
  if (result.output.merchantAccount !== merchantAccount) throw new AdyenFault('901')
  return result.output
}
