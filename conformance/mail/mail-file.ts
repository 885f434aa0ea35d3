import * as v from 'valibot'
import { type ReportFault, singleLineText, parseJson } from '#kit/server/config/parse-json.ts'
import { commonFields, emailSchema, listenAddressFields, readValidFile } from '../file-schemas.ts'
import { checkSettings } from '../settings.ts'

const mailFileSchema = v.strictObject({
  ...commonFields,
  to: emailSchema,
  /**
   * An email address that does not exist. Its domain must be one for which the relay itself accepts mail, or the relay
   * must reject the address immediately.
   */
  refused: emailSchema,
  attachment_kb: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1, 'must be at least 1.'), v.maxValue(20_000, 'must be at most 20000.')),
    500,
  ),
  listen: v.optional(v.strictObject({ ...listenAddressFields, host: v.optional(singleLineText(200), '127.0.0.1') })),
})
export type MailFile = v.InferOutput<typeof mailFileSchema>

export function readMailFile(name: string, text: string, fault: ReportFault): MailFile | null {
  return readValidFile(fault, (note) => {
    const file = parseJson(name, text, mailFileSchema, note)
    if (!file) return null
    checkSettings(file.settings, {
      needed: ['SMTP_URL', 'MAIL_FROM'],
      optional: [],
      fault: (line) => note(`${name}: ${line}`),
    })
    return file
  })
}
