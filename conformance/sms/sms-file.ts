import * as v from 'valibot'
import { type AccessConfig, readAccessConfig } from '#kit/server/config/access.ts'
import { type ReportFault, parseJson } from '#kit/server/config/parse-json.ts'
import { commonFields, msisdnSchema, readValidFile } from '../file-schemas.ts'
import { listAccessSettings, checkSettings } from '../settings.ts'

const smsFileSchema = v.strictObject({
  ...commonFields,
  to: msisdnSchema,
  refused: msisdnSchema,
})
export type SmsFile = v.InferOutput<typeof smsFileSchema> & { access: AccessConfig }

export function readSmsFile(name: string, text: string, fault: ReportFault): SmsFile | null {
  return readValidFile(fault, (note) => {
    const file = parseJson(name, text, smsFileSchema, note)
    if (!file) return null
    const reportSettingFault: ReportFault = (line) => note(`${name}: settings: ${line}`)
    const optionalSettings = listAccessSettings('SMS')
    checkSettings(file.settings, {
      needed: ['SMS_URL', 'SMS_SENDER'],
      optional: optionalSettings,
      fault: (line) => note(`${name}: ${line}`),
    })
    const access = readAccessConfig(file.settings, 'SMS', { otherwise: 'header', fault: reportSettingFault })
    return { ...file, access }
  })
}
