import * as v from 'valibot'
import { defaultPortFailures } from './number-port-failures.ts'
import { defaultPortRollUp, namesOf } from './number-port-status.ts'
import { defaultPortSteps, portSteps } from './number-port-steps.ts'

/** A carrier's own word: a name, an id, a code. */
const word = v.pipe(v.string(), v.nonEmpty('must not be empty.'), v.maxLength(100, 'must have 100 characters at most.'))
const words = v.pipe(v.array(word), v.maxLength(200, 'must have 200 entries at most.'))

/** What each of a carrier's words means to the product. */
const table = <Meaning extends v.GenericSchema>(meaning: Meaning) =>
  v.pipe(
    v.record(word, meaning),
    v.check((entries) => Object.keys(entries).length <= 200, 'must have 200 entries at most.'),
  )

/**
 * An object of which each part may be left out. Each entry has a default, so that `{}` is a valid input, which the type of a general
 * `Entries` cannot say.
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
    /** Sent beside the id where it is given. */
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
 * What differs between carriers, as `network.json` in the provider's folder says it; what it leaves out is as it has always been.
 * A list or table that is given takes the place of ours, but for `states`, which adds to those of TMF641. docs/carriers.md has each field.
 */
export const networkMappingSchema = v.pipe(
  v.strictObject({
    paths: parts({
      ordering: v.optional(path, '/tmf-api/serviceOrdering/v4'),
      balances: v.optional(path, '/tmf-api/prepayBalanceManagement/v4'),
      usage: v.optional(path, '/tmf-api/usageManagement/v4'),
      inventory: v.optional(path, '/tmf-api/resourceInventoryManagement/v4'),
    }),
    /** How numbers are written: +64211234567, 64211234567 or 0211234567. */
    numbers: parts({
      orders: v.optional(numberForms, 'plus'),
      usage: v.optional(numberForms, 'digits'),
    }),
    /** The one item of each kind of order. */
    orders: parts({
      activate_sim: item('add', 'mobileLine'),
      deactivate_sim: item('delete', 'mobileLine'),
      add_plan: item('add', 'prepaidPlan'),
      add_addon: item('add', 'addOn'),
      remove_plan: item('delete', 'prepaidPlan'),
      remove_addon: item('delete', 'addOn'),
      port_in: item('add', 'numberPortIn'),
    }),
    /** Names of an order's characteristics. */
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
      /** Sent once a port waits for it: the code that its donor has texted. */
      donorCode: v.optional(word, 'donorCode'),
      /** Read: where a port stands. */
      portState: v.optional(word, 'portInState'),
      /** Read, of a SIM in the inventory. */
      puk: v.optional(word, 'puk'),
    }),
    /** What the characteristic of the billing method says. */
    billingMethods: parts({ prepay: v.optional(word, 'prepay'), account: v.optional(word, 'account') }),
    /** The carrier's id of a provider in `porting-providers.json`; one that is not there goes by its own. */
    donors: v.optional(table(word), {}),
    /** A carrier's own states of service orders. */
    states: v.optional(table(v.picklist(['running', 'completed', 'failed', 'cancelled'])), {}),
    /** Codes of refusals (HTTP 4xx) and of failed orders. */
    errors: parts({
      /** The same may be ordered again. */
      retryable: v.optional(words, ['NETWORK_BUSY']),
      /** A definite no, with whatever HTTP status it comes. */
      final: v.optional(words, []),
      /** There is an order of this externalId: it is read instead. */
      duplicate: v.optional(words, []),
      /** What was to be taken away is not there. */
      nothingThere: v.optional(words, ['SIM_NOT_ACTIVE', 'UNKNOWN_PRODUCT']),
      /** The SIM that was to be activated is active. */
      alreadyActive: v.optional(words, ['SIM_ALREADY_ACTIVE']),
      /** The line is busy with another order. */
      busy: v.optional(words, ['ORDER_IN_PROGRESS']),
    }),
    ports: parts({
      states: v.optional(table(v.picklist(['NEW', 'SUBMITTED', 'COMPLETED', 'FAILED'])), namesOf(defaultPortRollUp)),
      declines: v.optional(table(v.picklist(['donor_mismatch', 'no_reply', 'said_no'])), { ...defaultPortFailures }),
      /** What a customer waits for in each state of a port, and what is over with a milestone of that name. */
      steps: v.optional(table(v.picklist(portSteps)), { ...defaultPortSteps }),
    }),
    usage: parts({
      /** The carrier's types of usage and of buckets. */
      types: v.optional(table(v.picklist(['data', 'voice', 'sms'])), { data: 'data', voice: 'voice', sms: 'sms' }),
      /** How many MB, seconds or messages one of each unit is; units are compared in small letters. */
      units: parts({
        data: unitsOf(defaultUnits().data),
        voice: unitsOf(defaultUnits().voice),
        sms: unitsOf(defaultUnits().sms),
      }),
      /** The unit of an amount without one. */
      unitless: parts({
        data: v.optional(word, 'mb'),
        voice: v.optional(word, 'seconds'),
        sms: v.optional(word, 'messages'),
      }),
      /** Names of a usage record's characteristics. */
      characteristics: parts({
        msisdn: v.optional(word, 'msisdn'),
        data: v.optional(word, 'volume'),
        voice: v.optional(word, 'duration'),
        sms: v.optional(word, 'messages'),
        destination: v.optional(word, 'destination'),
      }),
      /** States of a bucket that can be used. */
      activeStatuses: v.optional(words, ['active']),
      /** Records and buckets that name no line at all are taken for those of the line that was asked for. */
      trustsFilter: v.optional(v.boolean(), false),
    }),
    /** Names of the parameters that lists are filtered by. */
    filters: parts({
      externalId: v.optional(word, 'externalId'),
      cancelledOrder: v.optional(word, 'serviceOrder.id'),
      orderedFrom: v.optional(word, 'orderDate.gte'),
      orderedUntil: v.optional(word, 'orderDate.lt'),
      simIccid: v.optional(word, 'serialNumber'),
      bucketMsisdn: v.optional(word, 'logicalResource.id'),
      /** Says which characteristic of a usage is meant; null: it is not sent. */
      usageName: v.optional(v.nullable(word), 'usageCharacteristic.name'),
      usageMsisdn: v.optional(word, 'usageCharacteristic.value'),
      usageFrom: v.optional(word, 'usageDate.gte'),
      usageUntil: v.optional(word, 'usageDate.lt'),
    }),
    paging: parts({
      offset: v.optional(word, 'offset'),
      limit: v.optional(word, 'limit'),
      /** As many as are asked for; a server may answer fewer. */
      size: v.optional(count(10_000), 200),
      mostPages: v.optional(count(1_000), 25),
    }),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const seen = new Set<string>()
    for (const code of Object.values(dataset.value.errors).flat()) {
      if (seen.has(code)) addIssue({ message: `errors: ${code} is there twice.` })
      seen.add(code)
    }
    const { units, unitless } = dataset.value.usage
    for (const type of ['data', 'voice', 'sms'] as const)
      if (!Object.hasOwn(units[type], unitless[type].toLowerCase()))
        addIssue({ message: `usage.unitless.${type}: ${unitless[type]} is not among usage.units.${type}.` })
  }),
)

/** A mapping with nothing left out. */
export type NetworkMapping = v.InferOutput<typeof networkMappingSchema>

/** How a carrier is spoken to that has no mapping file. */
export const defaultMapping: NetworkMapping = v.parse(networkMappingSchema, {})

function defaultUnits() {
  return {
    data: { b: 1e-6, byte: 1e-6, bytes: 1e-6, kb: 0.001, mb: 1, gb: 1000 },
    voice: { s: 1, sec: 1, second: 1, seconds: 1, min: 60, minute: 60, minutes: 60 },
    sms: { messages: 1, message: 1, sms: 1 },
  }
}
