import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import { type AccessConfig, readAccessConfig } from '#kit/server/config/access.ts'
import { type ReportFault, singleLineText, parseJson } from '#kit/server/config/parse-json.ts'
import { defaultMapping, type NetworkMapping, networkMappingSchema } from '#providers/network/mapping.ts'
import { commonFields, listenAddressFields, msisdnSchema, readValidFile, secondsSchema } from '../file-schemas.ts'
import { listAccessSettings, checkSettings } from '../settings.ts'

const iccid = v.pipe(v.string(), v.regex(/^\d{18,20}$/, 'must have 18 to 20 digits.'))
const sim = v.strictObject({ iccid, msisdn: msisdnSchema })

const donorFields = { msisdn: msisdnSchema, donor_provider_id: singleLineText(100) }
const numberTransferSchema = v.variant(
  'billing_method',
  [
    v.strictObject({ ...donorFields, billing_method: v.literal('prepay'), donor_iccid: iccid }),
    v.strictObject({ ...donorFields, billing_method: v.literal('account'), donor_account_number: singleLineText(20) }),
  ],
  'must be prepay or account.',
)
export type TestNumberTransfer = v.InferOutput<typeof numberTransferSchema>

const networkFileSchema = v.strictObject({
  ...commonFields,
  /** Path of a mapping file, relative to the settings file. It has the same format as the provider's `network.json`. */
  mapping: v.optional(singleLineText(500)),
  sim,
  wrong_sim: sim,
  plan: singleLineText(100),
  addon: singleLineText(100),
  used_line: v.optional(
    v.strictObject({
      msisdn: msisdnSchema,
      records: v.pipe(v.number(), v.integer(), v.minValue(1, 'must be at least 1.')),
      days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(90, 'must be at most 90.')), 7),
    }),
  ),
  ports: v.optional(
    v.strictObject({
      cancelled: v.optional(numberTransferSchema),
      declined: v.optional(numberTransferSchema),
      completes: v.optional(numberTransferSchema),
    }),
    {},
  ),
  listen: v.optional(
    v.strictObject({ ...listenAddressFields, url: v.optional(v.pipe(v.string(), v.url('must be an address.'))) }),
  ),
  order_seconds: v.optional(secondsSchema(900), 60),
  port_seconds: v.optional(secondsSchema(86_400), 600),
  step_seconds: v.optional(secondsSchema(86_400), 900),
})
export type NetworkFile = v.InferOutput<typeof networkFileSchema> & { network: NetworkMapping; access: AccessConfig }

export function readNetworkFile(name: string, text: string, fault: ReportFault, folder: string): NetworkFile | null {
  return readValidFile(fault, (note) => {
    const file = parseJson(name, text, networkFileSchema, note)
    if (!file) return null
    checkSettings(file.settings, {
      needed: ['NETWORK_URL'],
      optional: listAccessSettings('NETWORK'),
      fault: (line) => note(`${name}: ${line}`),
    })
    const access = readAccessConfig(file.settings, 'NETWORK', {
      otherwise: 'none',
      fault: (line) => note(`${name}: settings: ${line}`),
    })
    const network = file.mapping === undefined ? defaultMapping : readMapping(file.mapping, folder, note)
    return network && { ...file, network, access }
  })
}

function readMapping(path: string, folder: string, fault: ReportFault): NetworkMapping | null {
  try {
    const text = readFileSync(isAbsolute(path) ? path : join(folder, path), 'utf8')
    return parseJson(path, text, networkMappingSchema, fault)
  } catch (error) {
    fault(`mapping: cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}
