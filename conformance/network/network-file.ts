import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import { type AccessConfig, readAccess } from '#kit/server/config/access.ts'
import { type Fault, oneLine, parseJson } from '#kit/server/config/json-files.ts'
import { defaultMapping, type NetworkMapping, networkMappingSchema } from '#providers/network/mapping.ts'
import { common, listenPlace, msisdn, readFaultless, seconds } from '../file-parts.ts'
import { accessSettings, checkSettings } from '../settings.ts'

const iccid = v.pipe(v.string(), v.regex(/^\d{18,20}$/, 'must have 18 to 20 digits.'))
const sim = v.strictObject({ iccid, msisdn })

const donor = { msisdn, donor_provider_id: oneLine(100) }
const port = v.variant(
  'billing_method',
  [
    v.strictObject({ ...donor, billing_method: v.literal('prepay'), donor_iccid: iccid }),
    v.strictObject({ ...donor, billing_method: v.literal('account'), donor_account_number: oneLine(20) }),
  ],
  'must be prepay or account.',
)
export type TestPort = v.InferOutput<typeof port>

const schema = v.strictObject({
  ...common,
  /** Path of a mapping file in the format of the provider's `network.json`, relative to this file. */
  mapping: v.optional(oneLine(500)),
  sim,
  wrong_sim: sim,
  plan: oneLine(100),
  addon: oneLine(100),
  used_line: v.optional(
    v.strictObject({
      msisdn,
      records: v.pipe(v.number(), v.integer(), v.minValue(1, 'must be at least 1.')),
      days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(90, 'must be at most 90.')), 7),
    }),
  ),
  ports: v.optional(
    v.strictObject({ cancelled: v.optional(port), declined: v.optional(port), completes: v.optional(port) }),
    {},
  ),
  listen: v.optional(
    v.strictObject({ ...listenPlace, url: v.optional(v.pipe(v.string(), v.url('must be an address.'))) }),
  ),
  order_seconds: v.optional(seconds(900), 60),
  port_seconds: v.optional(seconds(86_400), 600),
  step_seconds: v.optional(seconds(86_400), 900),
})
export type NetworkFile = v.InferOutput<typeof schema> & { network: NetworkMapping; access: AccessConfig }

export function readNetworkFile(name: string, text: string, fault: Fault, folder: string): NetworkFile | null {
  return readFaultless(fault, (note) => {
    const file = parseJson(name, text, schema, note)
    if (!file) return null
    checkSettings(file.settings, {
      needed: ['NETWORK_URL'],
      optional: accessSettings('NETWORK'),
      fault: (line) => note(`${name}: ${line}`),
    })
    const access = readAccess(file.settings, 'NETWORK', {
      otherwise: 'none',
      fault: (line) => note(`${name}: settings: ${line}`),
    })
    const network = file.mapping === undefined ? defaultMapping : readMapping(file.mapping, folder, note)
    return network && { ...file, network, access }
  })
}

function readMapping(path: string, folder: string, fault: Fault): NetworkMapping | null {
  try {
    const text = readFileSync(isAbsolute(path) ? path : join(folder, path), 'utf8')
    return parseJson(path, text, networkMappingSchema, fault)
  } catch (error) {
    fault(`mapping: cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}
