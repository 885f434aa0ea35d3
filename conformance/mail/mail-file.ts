import * as v from 'valibot'
import { type Fault, oneLine, parseJson } from '#kit/server/config/json-files.ts'
import { common, email, listenPlace, readFaultless } from '../file-parts.ts'
import { checkSettings } from '../settings.ts'

const schema = v.strictObject({
  ...common,
  /** Takes mail, and is yours. */
  to: email,
  /** An address that does not exist, at a domain whose mail this relay takes in itself, or refuses at once. */
  refused: email,
  /** The largest mail that the product sends has an invoice with it. */
  attachment_kb: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1, 'must be 1 at least.'), v.maxValue(20_000, 'must be 20000 at most.')),
    500,
  ),
  listen: v.optional(v.strictObject({ ...listenPlace, host: v.optional(oneLine(200), '127.0.0.1') })),
})
export type MailFile = v.InferOutput<typeof schema>

/** Reads a relay's file; null when it is not right, and `fault` has had a line for each place. */
export function readMailFile(name: string, text: string, fault: Fault): MailFile | null {
  return readFaultless(fault, (note) => {
    const file = parseJson(name, text, schema, note)
    if (!file) return null
    checkSettings(file.settings, {
      needed: ['SMTP_URL', 'MAIL_FROM'],
      optional: [],
      fault: (line) => note(`${name}: ${line}`),
    })
    return file
  })
}
