import * as v from 'valibot'
import { type Fault, oneLine, parseJson } from '#kit/server/config/json-files.ts'
import { common, email, listenPlace, readFaultless } from '../file-parts.ts'
import { checkSettings } from '../settings.ts'

const schema = v.strictObject({
  ...common,
  to: email,
  /** An address that does not exist. The relay must host its domain itself, or reject the address at once. */
  refused: email,
  attachment_kb: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1, 'must be at least 1.'), v.maxValue(20_000, 'must be at most 20000.')),
    500,
  ),
  listen: v.optional(v.strictObject({ ...listenPlace, host: v.optional(oneLine(200), '127.0.0.1') })),
})
export type MailFile = v.InferOutput<typeof schema>

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
