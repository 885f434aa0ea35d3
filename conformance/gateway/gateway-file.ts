import * as v from 'valibot'
import { type ReportFault, singleLineText, parseJson } from '#kit/server/config/parse-json.ts'
import { commonFields, emailSchema, listenAddressFields, readValidFile } from '../file-schemas.ts'
import { checkSettings } from '../settings.ts'

const testCardSchema = v.strictObject({
  number: v.pipe(v.string(), v.regex(/^[\d ]{12,23}$/, 'must have only digits and spaces.')),
  cvc: v.pipe(v.string(), v.regex(/^\d{3,4}$/, 'must have 3 or 4 digits.')),
  expiry: v.pipe(v.string(), v.regex(/^(?:0[1-9]|1[0-2])\/\d{4}$/, 'must be a month such as 03/2030.')),
  holder: singleLineText(60),
})
export type TestCard = v.InferOutput<typeof testCardSchema>

const gatewayFileSchema = v.strictObject({
  ...commonFields,
  currency: v.optional(v.picklist(['NZD', 'AUD']), 'NZD'),
  shopper_email: emailSchema,
  cards: v.strictObject({ good: testCardSchema, refused: testCardSchema }),
  listen: v.optional(v.strictObject(listenAddressFields)),
})
export type GatewayFile = v.InferOutput<typeof gatewayFileSchema>

export function readGatewayFile(name: string, text: string, fault: ReportFault): GatewayFile | null {
  return readValidFile(fault, (note) => {
    const file = parseJson(name, text, gatewayFileSchema, note)
    if (!file) return null
    checkSettings(file.settings, {
      needed: [
        'CARD_URL',
        'CARD_API_KEY',
        'CARD_MERCHANT_ACCOUNT',
        'CARD_PUBLIC_KEY',
        ...(file.listen ? ['CARD_HMAC_KEY'] : []),
      ],
      optional: ['CARD_GATEWAY', 'CARD_HMAC_KEY', 'CARD_HMAC_KEY_PREVIOUS'],
      fault: (line) => note(`${name}: ${line}`),
    })
    return file
  })
}
