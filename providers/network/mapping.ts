import * as v from 'valibot'
import { defaultPortFailures } from './number-port-failures.ts'
import { defaultStatusBySubState, statusNamesOf } from './number-port-status.ts'
import { defaultPortSteps, portSteps } from './number-port-steps.ts'

const carrierName = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty.'),
  v.maxLength(100, 'must have 100 characters at most.'),
)
const carrierNames = v.pipe(v.array(carrierName), v.maxLength(200, 'must have 200 entries at most.'))

const nameTable = <Meaning extends v.GenericSchema>(meaning: Meaning) =>
  v.pipe(
    v.record(carrierName, meaning),
    v.check((entries) => Object.keys(entries).length <= 200, 'must have 200 entries at most.'),
  )

/**
 * Builds the schema for an object whose parts are all optional. Each entry has a default, so `{}` is a valid input, which the generic
 * `Entries` type cannot express.
 */
const optionalParts = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.optional(v.strictObject(entries), {} as never)

const path = v.pipe(
  v.string(),
  v.maxLength(200, 'must have 200 characters at most.'),
  v.regex(/^(?:\/[\w.~%-]+)*$/, 'must be a path such as /tmf-api/serviceOrdering/v4, without a slash at its end.'),
)

const boundedCount = (most: number) =>
  v.pipe(
    v.number(),
    v.integer('must be a whole number.'),
    v.minValue(1, 'must be 1 at least.'),
    v.maxValue(most, `must be ${most} at most.`),
  )

const orderItem = (action: 'add' | 'delete', specificationId: string) =>
  optionalParts({
    action: v.optional(v.picklist(['add', 'modify', 'delete', 'noChange']), action),
    specificationId: v.optional(carrierName, specificationId),
    specificationName: v.optional(v.nullable(carrierName), null),
  })

const numberFormats = v.picklist(['plus', 'digits', 'national'])

const unitFactorSchema = v.pipe(v.number(), v.gtValue(0, 'must be above 0.'), v.maxValue(1e12, 'must be 1e12 at most.'))
const unitTable = (units: Record<string, number>) =>
  v.optional(
    v.pipe(
      nameTable(unitFactorSchema),
      v.transform((entries) =>
        Object.fromEntries(Object.entries(entries).map(([unit, of]) => [unit.toLowerCase(), of])),
      ),
    ),
    units,
  )

/**
 * Differences between carriers, read from `network.json` in the provider's folder. Each missing field has a default. A list or table in the
 * file replaces the default, except for `states`, which extends TMF641's states. docs/carriers.md describes each field.
 */
export const networkMappingSchema = v.pipe(
  v.strictObject({
    paths: optionalParts({
      ordering: v.optional(path, '/tmf-api/serviceOrdering/v4'),
      balances: v.optional(path, '/tmf-api/prepayBalanceManagement/v4'),
      usage: v.optional(path, '/tmf-api/usageManagement/v4'),
      inventory: v.optional(path, '/tmf-api/resourceInventoryManagement/v4'),
    }),
    numbers: optionalParts({
      orders: v.optional(numberFormats, 'plus'),
      usage: v.optional(numberFormats, 'digits'),
    }),
    orders: optionalParts({
      activate_sim: orderItem('add', 'mobileLine'),
      deactivate_sim: orderItem('delete', 'mobileLine'),
      add_plan: orderItem('add', 'prepaidPlan'),
      add_addon: orderItem('add', 'addOn'),
      remove_plan: orderItem('delete', 'prepaidPlan'),
      remove_addon: orderItem('delete', 'addOn'),
      port_in: orderItem('add', 'numberPortIn'),
    }),
    characteristics: optionalParts({
      iccid: v.optional(carrierName, 'iccid'),
      msisdn: v.optional(carrierName, 'msisdn'),
      sku: v.optional(carrierName, 'sku'),
      addedBy: v.optional(carrierName, 'addedByExternalId'),
      portingMsisdn: v.optional(carrierName, 'msisdn'),
      donorProviderId: v.optional(carrierName, 'donorProviderId'),
      billingMethod: v.optional(carrierName, 'billingMethod'),
      donorIccid: v.optional(carrierName, 'donorIccid'),
      donorAccountNumber: v.optional(carrierName, 'donorAccountNumber'),
      donorCode: v.optional(carrierName, 'donorCode'),
      portState: v.optional(carrierName, 'portInState'),
      puk: v.optional(carrierName, 'puk'),
    }),
    billingMethods: optionalParts({
      prepay: v.optional(carrierName, 'prepay'),
      account: v.optional(carrierName, 'account'),
    }),
    /** The carrier's own id for each provider in `porting-providers.json`. A provider that is not listed keeps its own id. */
    donors: v.optional(nameTable(carrierName), {}),
    states: v.optional(nameTable(v.picklist(['running', 'completed', 'failed', 'cancelled'])), {}),
    errors: optionalParts({
      retryable: v.optional(carrierNames, ['NETWORK_BUSY']),
      /** Error codes that are a definite rejection, whatever the HTTP status. */
      final: v.optional(carrierNames, []),
      /** Error codes meaning that an order with this `externalId` already exists. The existing order is then read instead. */
      duplicate: v.optional(carrierNames, []),
      nothingThere: v.optional(carrierNames, ['SIM_NOT_ACTIVE', 'UNKNOWN_PRODUCT']),
      alreadyActive: v.optional(carrierNames, ['SIM_ALREADY_ACTIVE']),
      busy: v.optional(carrierNames, ['ORDER_IN_PROGRESS']),
    }),
    ports: optionalParts({
      states: v.optional(
        nameTable(v.picklist(['NEW', 'SUBMITTED', 'COMPLETED', 'FAILED'])),
        statusNamesOf(defaultStatusBySubState),
      ),
      declines: v.optional(nameTable(v.picklist(['donor_mismatch', 'no_reply', 'said_no'])), {
        ...defaultPortFailures,
      }),
      steps: v.optional(nameTable(v.picklist(portSteps)), { ...defaultPortSteps }),
    }),
    usage: optionalParts({
      types: v.optional(nameTable(v.picklist(['data', 'voice', 'sms'])), { data: 'data', voice: 'voice', sms: 'sms' }),
      /** How many MB, seconds or messages each unit stands for. Unit names are case-insensitive. */
      units: optionalParts({
        data: unitTable(defaultUnits().data),
        voice: unitTable(defaultUnits().voice),
        sms: unitTable(defaultUnits().sms),
      }),
      unitless: optionalParts({
        data: v.optional(carrierName, 'mb'),
        voice: v.optional(carrierName, 'seconds'),
        sms: v.optional(carrierName, 'messages'),
      }),
      characteristics: optionalParts({
        msisdn: v.optional(carrierName, 'msisdn'),
        data: v.optional(carrierName, 'volume'),
        voice: v.optional(carrierName, 'duration'),
        sms: v.optional(carrierName, 'messages'),
        destination: v.optional(carrierName, 'destination'),
      }),
      activeStatuses: v.optional(carrierNames, ['active']),
      /** If true, usage records and balances that do not name a line are assumed to belong to the requested line. */
      trustsFilter: v.optional(v.boolean(), false),
    }),
    filters: optionalParts({
      externalId: v.optional(carrierName, 'externalId'),
      cancelledOrder: v.optional(carrierName, 'serviceOrder.id'),
      orderedFrom: v.optional(carrierName, 'orderDate.gte'),
      orderedUntil: v.optional(carrierName, 'orderDate.lt'),
      simIccid: v.optional(carrierName, 'serialNumber'),
      bucketMsisdn: v.optional(carrierName, 'logicalResource.id'),
      /** Query parameter that carries the name of the usage characteristic. If `null`, the parameter is not sent. */
      usageName: v.optional(v.nullable(carrierName), 'usageCharacteristic.name'),
      usageMsisdn: v.optional(carrierName, 'usageCharacteristic.value'),
      usageFrom: v.optional(carrierName, 'usageDate.gte'),
      usageUntil: v.optional(carrierName, 'usageDate.lt'),
    }),
    paging: optionalParts({
      offset: v.optional(carrierName, 'offset'),
      limit: v.optional(carrierName, 'limit'),
      /** Page size to request. A server may return fewer items. */
      size: v.optional(boundedCount(10_000), 200),
      mostPages: v.optional(boundedCount(1_000), 25),
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
