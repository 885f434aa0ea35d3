import * as v from 'valibot'
import { defaultPortFailures } from './number-port-failures.ts'
import { defaultPortRollUp, namesOf } from './number-port-status.ts'
import { defaultPortSteps, portSteps } from './number-port-steps.ts'

const word = v.pipe(v.string(), v.nonEmpty('must not be empty.'), v.maxLength(100, 'must have 100 characters at most.'))
const words = v.pipe(v.array(word), v.maxLength(200, 'must have 200 entries at most.'))

const table = <Meaning extends v.GenericSchema>(meaning: Meaning) =>
  v.pipe(
    v.record(word, meaning),
    v.check((entries) => Object.keys(entries).length <= 200, 'must have 200 entries at most.'),
  )

/**
 * An object whose parts are all optional. Each entry has a default, so `{}` is a valid input, which the generic `Entries` type cannot
 * express.
 */
const parts = <Entries extends v.ObjectEntries>(entries: Entries) => v.optional(v.strictObject(entries), {} as never)

const path = v.pipe(
  v.string(),
  v.maxLength(200, 'must have 200 characters at most.'),
  v.regex(/^(?:\/[\w.~%-]+)*$/, 'must be a path such as /tmf-api/serviceOrdering/v4, without a slash at its end.'),
)

const count = (most: number) =>
  v.pipe(
    v.number(),
    v.integer('must be a whole number.'),
    v.minValue(1, 'must be 1 at least.'),
    v.maxValue(most, `must be ${most} at most.`),
  )

const item = (action: 'add' | 'delete', specificationId: string) =>
  parts({
    action: v.optional(v.picklist(['add', 'modify', 'delete', 'noChange']), action),
    specificationId: v.optional(word, specificationId),
    specificationName: v.optional(v.nullable(word), null),
  })

const numberForms = v.picklist(['plus', 'digits', 'national'])

const factor = v.pipe(v.number(), v.gtValue(0, 'must be above 0.'), v.maxValue(1e12, 'must be 1e12 at most.'))
const unitsOf = (units: Record<string, number>) =>
  v.optional(
    v.pipe(
      table(factor),
      v.transform((entries) =>
        Object.fromEntries(Object.entries(entries).map(([unit, of]) => [unit.toLowerCase(), of])),
      ),
    ),
    units,
  )

/**
 * Differences between carriers, read from `network.json` in the provider's folder. Each missing field has a default.
 * A list or table in the file replaces the default, except `states`, which extends those of TMF641. docs/carriers.md describes each field.
 */
export const networkMappingSchema = v.pipe(
  v.strictObject({
    paths: parts({
      ordering: v.optional(path, '/tmf-api/serviceOrdering/v4'),
      balances: v.optional(path, '/tmf-api/prepayBalanceManagement/v4'),
      usage: v.optional(path, '/tmf-api/usageManagement/v4'),
      inventory: v.optional(path, '/tmf-api/resourceInventoryManagement/v4'),
    }),
    numbers: parts({
      orders: v.optional(numberForms, 'plus'),
      usage: v.optional(numberForms, 'digits'),
    }),
    orders: parts({
      activate_sim: item('add', 'mobileLine'),
      deactivate_sim: item('delete', 'mobileLine'),
      add_plan: item('add', 'prepaidPlan'),
      add_addon: item('add', 'addOn'),
      remove_plan: item('delete', 'prepaidPlan'),
      remove_addon: item('delete', 'addOn'),
      port_in: item('add', 'numberPortIn'),
    }),
    characteristics: parts({
      iccid: v.optional(word, 'iccid'),
      msisdn: v.optional(word, 'msisdn'),
      sku: v.optional(word, 'sku'),
      addedBy: v.optional(word, 'addedByExternalId'),
      portingMsisdn: v.optional(word, 'msisdn'),
      donorProviderId: v.optional(word, 'donorProviderId'),
      billingMethod: v.optional(word, 'billingMethod'),
      donorIccid: v.optional(word, 'donorIccid'),
      donorAccountNumber: v.optional(word, 'donorAccountNumber'),
      donorCode: v.optional(word, 'donorCode'),
      portState: v.optional(word, 'portInState'),
      puk: v.optional(word, 'puk'),
    }),
    billingMethods: parts({ prepay: v.optional(word, 'prepay'), account: v.optional(word, 'account') }),
    /** The carrier's id of a provider in `porting-providers.json`. A provider that is missing here keeps its own id. */
    donors: v.optional(table(word), {}),
    states: v.optional(table(v.picklist(['running', 'completed', 'failed', 'cancelled'])), {}),
    errors: parts({
      retryable: v.optional(words, ['NETWORK_BUSY']),
      /** A definite rejection, whatever the HTTP status. */
      final: v.optional(words, []),
      /** An order with this `externalId` exists already, and is read instead. */
      duplicate: v.optional(words, []),
      nothingThere: v.optional(words, ['SIM_NOT_ACTIVE', 'UNKNOWN_PRODUCT']),
      alreadyActive: v.optional(words, ['SIM_ALREADY_ACTIVE']),
      busy: v.optional(words, ['ORDER_IN_PROGRESS']),
    }),
    ports: parts({
      states: v.optional(table(v.picklist(['NEW', 'SUBMITTED', 'COMPLETED', 'FAILED'])), namesOf(defaultPortRollUp)),
      declines: v.optional(table(v.picklist(['donor_mismatch', 'no_reply', 'said_no'])), { ...defaultPortFailures }),
      steps: v.optional(table(v.picklist(portSteps)), { ...defaultPortSteps }),
    }),
    usage: parts({
      types: v.optional(table(v.picklist(['data', 'voice', 'sms'])), { data: 'data', voice: 'voice', sms: 'sms' }),
      /** MB, seconds or messages per unit. Unit names are case-insensitive. */
      units: parts({
        data: unitsOf(defaultUnits().data),
        voice: unitsOf(defaultUnits().voice),
        sms: unitsOf(defaultUnits().sms),
      }),
      unitless: parts({
        data: v.optional(word, 'mb'),
        voice: v.optional(word, 'seconds'),
        sms: v.optional(word, 'messages'),
      }),
      characteristics: parts({
        msisdn: v.optional(word, 'msisdn'),
        data: v.optional(word, 'volume'),
        voice: v.optional(word, 'duration'),
        sms: v.optional(word, 'messages'),
        destination: v.optional(word, 'destination'),
      }),
      activeStatuses: v.optional(words, ['active']),
      /** If true, records and buckets that name no line belong to the requested line. */
      trustsFilter: v.optional(v.boolean(), false),
    }),
    filters: parts({
      externalId: v.optional(word, 'externalId'),
      cancelledOrder: v.optional(word, 'serviceOrder.id'),
      orderedFrom: v.optional(word, 'orderDate.gte'),
      orderedUntil: v.optional(word, 'orderDate.lt'),
      simIccid: v.optional(word, 'serialNumber'),
      bucketMsisdn: v.optional(word, 'logicalResource.id'),
      /** The parameter that names the usage characteristic. `null`: not sent. */
      usageName: v.optional(v.nullable(word), 'usageCharacteristic.name'),
      usageMsisdn: v.optional(word, 'usageCharacteristic.value'),
      usageFrom: v.optional(word, 'usageDate.gte'),
      usageUntil: v.optional(word, 'usageDate.lt'),
    }),
    paging: parts({
      offset: v.optional(word, 'offset'),
      limit: v.optional(word, 'limit'),
      /** Page size to request. A server may return fewer items. */
      size: v.optional(count(10_000), 200),
      mostPages: v.optional(count(1_000), 25),
    }),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const seen = new Set<string>()
    for (const code of Object.values(dataset.value.errors).flat()) {
      if (seen.has(code)) addIssue({ message: `errors: ${code} appears twice.` })
      seen.add(code)
    }
    const { units, unitless } = dataset.value.usage
    for (const type of ['data', 'voice', 'sms'] as const)
      if (!Object.hasOwn(units[type], unitless[type].toLowerCase()))
        addIssue({ message: `usage.unitless.${type}: ${unitless[type]} is not among usage.units.${type}.` })
  }),
)

export type NetworkMapping = v.InferOutput<typeof networkMappingSchema>

export const defaultMapping: NetworkMapping = v.parse(networkMappingSchema, {})

function defaultUnits() {
  return {
    data: { b: 1e-6, byte: 1e-6, bytes: 1e-6, kb: 0.001, mb: 1, gb: 1000 },
    voice: { s: 1, sec: 1, second: 1, seconds: 1, min: 60, minute: 60, minutes: 60 },
    sms: { messages: 1, message: 1, sms: 1 },
  }
}
