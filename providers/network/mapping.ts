import * as v from 'valibot'
import { defaultPortFailures } from './number-port-failures.ts'
import { defaultStatusBySubState, toStatusNames } from './number-port-status.ts'
import { defaultPortSteps, portSteps } from './number-port-steps.ts'

const carrierNameSchema = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty.'),
  v.maxLength(100, 'must have 100 characters at most.'),
)
const carrierNamesSchema = v.pipe(v.array(carrierNameSchema), v.maxLength(200, 'must have 200 entries at most.'))

const createNameTableSchema = <Meaning extends v.GenericSchema>(meaning: Meaning) =>
  v.pipe(
    v.record(carrierNameSchema, meaning),
    v.check((entries) => Object.keys(entries).length <= 200, 'must have 200 entries at most.'),
  )

/**
 * Builds the schema for an object whose parts are all optional. Each entry has a default, so `{}` is a valid input, which the generic
 * `Entries` type cannot express.
 */
const createOptionalObject = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.optional(v.strictObject(entries), {} as never)

const path = v.pipe(
  v.string(),
  v.maxLength(200, 'must have 200 characters at most.'),
  v.regex(/^(?:\/[\w.~%-]+)*$/, 'must be a path such as /tmf-api/serviceOrdering/v4, without a slash at its end.'),
)

const createCountSchema = (most: number) =>
  v.pipe(
    v.number(),
    v.integer('must be a whole number.'),
    v.minValue(1, 'must be 1 at least.'),
    v.maxValue(most, `must be ${most} at most.`),
  )

const createOrderItemSchema = (action: 'add' | 'delete', specificationId: string) =>
  createOptionalObject({
    action: v.optional(v.picklist(['add', 'modify', 'delete', 'noChange']), action),
    specificationId: v.optional(carrierNameSchema, specificationId),
    specificationName: v.optional(v.nullable(carrierNameSchema), null),
  })

const numberFormatSchema = v.picklist(['plus', 'digits', 'national'])

const unitFactorSchema = v.pipe(v.number(), v.gtValue(0, 'must be above 0.'), v.maxValue(1e12, 'must be 1e12 at most.'))
const createUnitTableSchema = (units: Record<string, number>) =>
  v.optional(
    v.pipe(
      createNameTableSchema(unitFactorSchema),
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
    paths: createOptionalObject({
      ordering: v.optional(path, '/tmf-api/serviceOrdering/v4'),
      balances: v.optional(path, '/tmf-api/prepayBalanceManagement/v4'),
      usage: v.optional(path, '/tmf-api/usageManagement/v4'),
      inventory: v.optional(path, '/tmf-api/resourceInventoryManagement/v4'),
    }),
    numbers: createOptionalObject({
      orders: v.optional(numberFormatSchema, 'plus'),
      usage: v.optional(numberFormatSchema, 'digits'),
    }),
    orders: createOptionalObject({
      activate_sim: createOrderItemSchema('add', 'mobileLine'),
      deactivate_sim: createOrderItemSchema('delete', 'mobileLine'),
      add_plan: createOrderItemSchema('add', 'prepaidPlan'),
      add_addon: createOrderItemSchema('add', 'addOn'),
      remove_plan: createOrderItemSchema('delete', 'prepaidPlan'),
      remove_addon: createOrderItemSchema('delete', 'addOn'),
      port_in: createOrderItemSchema('add', 'numberPortIn'),
    }),
    characteristics: createOptionalObject({
      iccid: v.optional(carrierNameSchema, 'iccid'),
      msisdn: v.optional(carrierNameSchema, 'msisdn'),
      sku: v.optional(carrierNameSchema, 'sku'),
      addedBy: v.optional(carrierNameSchema, 'addedByExternalId'),
      portingMsisdn: v.optional(carrierNameSchema, 'msisdn'),
      donorProviderId: v.optional(carrierNameSchema, 'donorProviderId'),
      billingMethod: v.optional(carrierNameSchema, 'billingMethod'),
      donorIccid: v.optional(carrierNameSchema, 'donorIccid'),
      donorAccountNumber: v.optional(carrierNameSchema, 'donorAccountNumber'),
      donorCode: v.optional(carrierNameSchema, 'donorCode'),
      portState: v.optional(carrierNameSchema, 'portInState'),
      puk: v.optional(carrierNameSchema, 'puk'),
    }),
    billingMethods: createOptionalObject({
      prepay: v.optional(carrierNameSchema, 'prepay'),
      account: v.optional(carrierNameSchema, 'account'),
    }),
    /** The carrier's own id for each provider in `porting-providers.json`. A provider that is not listed keeps its own id. */
    donors: v.optional(createNameTableSchema(carrierNameSchema), {}),
    states: v.optional(createNameTableSchema(v.picklist(['running', 'completed', 'failed', 'cancelled'])), {}),
    errors: createOptionalObject({
      retryable: v.optional(carrierNamesSchema, ['NETWORK_BUSY']),
      /** Error codes that are a definite rejection, whatever the HTTP status. */
      final: v.optional(carrierNamesSchema, []),
      /** Error codes meaning that an order with this `externalId` already exists. The existing order is then read instead. */
      duplicate: v.optional(carrierNamesSchema, []),
      nothingThere: v.optional(carrierNamesSchema, ['SIM_NOT_ACTIVE', 'UNKNOWN_PRODUCT']),
      alreadyActive: v.optional(carrierNamesSchema, ['SIM_ALREADY_ACTIVE']),
      busy: v.optional(carrierNamesSchema, ['ORDER_IN_PROGRESS']),
    }),
    ports: createOptionalObject({
      states: v.optional(
        createNameTableSchema(v.picklist(['NEW', 'SUBMITTED', 'COMPLETED', 'FAILED'])),
        toStatusNames(defaultStatusBySubState),
      ),
      declines: v.optional(createNameTableSchema(v.picklist(['donor_mismatch', 'no_reply', 'said_no'])), {
        ...defaultPortFailures,
      }),
      steps: v.optional(createNameTableSchema(v.picklist(portSteps)), { ...defaultPortSteps }),
    }),
    usage: createOptionalObject({
      types: v.optional(createNameTableSchema(v.picklist(['data', 'voice', 'sms'])), {
        data: 'data',
        voice: 'voice',
        sms: 'sms',
      }),
      /** How many MB, seconds or messages each unit stands for. Unit names are case-insensitive. */
      units: createOptionalObject({
        data: createUnitTableSchema(getDefaultUnits().data),
        voice: createUnitTableSchema(getDefaultUnits().voice),
        sms: createUnitTableSchema(getDefaultUnits().sms),
      }),
      unitless: createOptionalObject({
        data: v.optional(carrierNameSchema, 'mb'),
        voice: v.optional(carrierNameSchema, 'seconds'),
        sms: v.optional(carrierNameSchema, 'messages'),
      }),
      characteristics: createOptionalObject({
        msisdn: v.optional(carrierNameSchema, 'msisdn'),
        data: v.optional(carrierNameSchema, 'volume'),
        voice: v.optional(carrierNameSchema, 'duration'),
        sms: v.optional(carrierNameSchema, 'messages'),
        destination: v.optional(carrierNameSchema, 'destination'),
      }),
      activeStatuses: v.optional(carrierNamesSchema, ['active']),
      /** If true, usage records and balances that do not name a line are assumed to belong to the requested line. */
      trustsFilter: v.optional(v.boolean(), false),
    }),
    filters: createOptionalObject({
      externalId: v.optional(carrierNameSchema, 'externalId'),
      cancelledOrder: v.optional(carrierNameSchema, 'serviceOrder.id'),
      orderedFrom: v.optional(carrierNameSchema, 'orderDate.gte'),
      orderedUntil: v.optional(carrierNameSchema, 'orderDate.lt'),
      simIccid: v.optional(carrierNameSchema, 'serialNumber'),
      bucketMsisdn: v.optional(carrierNameSchema, 'logicalResource.id'),
      /** Query parameter that carries the name of the usage characteristic. If `null`, the parameter is not sent. */
      usageName: v.optional(v.nullable(carrierNameSchema), 'usageCharacteristic.name'),
      usageMsisdn: v.optional(carrierNameSchema, 'usageCharacteristic.value'),
      usageFrom: v.optional(carrierNameSchema, 'usageDate.gte'),
      usageUntil: v.optional(carrierNameSchema, 'usageDate.lt'),
    }),
    paging: createOptionalObject({
      offset: v.optional(carrierNameSchema, 'offset'),
      limit: v.optional(carrierNameSchema, 'limit'),
      /** Page size to request. A server may return fewer items. */
      size: v.optional(createCountSchema(10_000), 200),
      mostPages: v.optional(createCountSchema(1_000), 25),
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

function getDefaultUnits() {
  return {
    data: { b: 1e-6, byte: 1e-6, bytes: 1e-6, kb: 0.001, mb: 1, gb: 1000 },
    voice: { s: 1, sec: 1, second: 1, seconds: 1, min: 60, minute: 60, minutes: 60 },
    sms: { messages: 1, message: 1, sms: 1 },
  }
}
