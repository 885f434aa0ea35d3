import * as v from 'valibot'
import { type Fault, oneLine, parseJson } from '#kit/server/config/json-files.ts'
import { common, email, listenPlace, readFaultless } from '../file-parts.ts'
import { checkSettings } from '../settings.ts'

const card = v.strictObject({
  number: v.pipe(v.string(), v.regex(/^[\d ]{12,23}$/, 'must have only digits and spaces.')),
  cvc: v.pipe(v.string(), v.regex(/^\d{3,4}$/, 'must have 3 or 4 digits.')),
  expiry: v.pipe(v.string(), v.regex(/^(?:0[1-9]|1[0-2])\/\d{4}$/, 'must be a month such as 03/2030.')),
  holder: oneLine(60),
})
export type TestCard = v.InferOutput<typeof card>

const schema = v.strictObject({
  ...common,
  currency: v.optional(v.picklist(['NZD', 'AUD']), 'NZD'),
  shopper_email: email,
  cards: v.strictObject({ good: card, refused: card }),
  listen: v.optional(v.strictObject(listenPlace)),
})
export type GatewayFile = v.InferOutput<typeof schema>

export function readGatewayFile(name: string, text: string, fault: Fault): GatewayFile | null {
  return readFaultless(fault, (note) => {
    const file = parseJson(name, text, schema, note)
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
