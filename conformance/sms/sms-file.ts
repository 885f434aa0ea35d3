import * as v from 'valibot'
import { type AccessConfig, readAccess } from '#kit/server/config/access.ts'
import { type Fault, parseJson } from '#kit/server/config/json-files.ts'
import { common, msisdn, readFaultless } from '../file-parts.ts'
import { accessSettings, checkSettings } from '../settings.ts'

const schema = v.strictObject({
  ...common,
  to: msisdn,
  refused: msisdn,
})
export type SmsFile = v.InferOutput<typeof schema> & { access: AccessConfig }

export function readSmsFile(name: string, text: string, fault: Fault): SmsFile | null {
  return readFaultless(fault, (note) => {
    const file = parseJson(name, text, schema, note)
    if (!file) return null
    const ofSettings: Fault = (line) => note(`${name}: settings: ${line}`)
    const optional = accessSettings('SMS')
    checkSettings(file.settings, {
      needed: ['SMS_URL', 'SMS_SENDER'],
      optional,
      fault: (line) => note(`${name}: ${line}`),
    })
    const access = readAccess(file.settings, 'SMS', { otherwise: 'header', fault: ofSettings })
    return { ...file, access }
  })
}
