export type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }
type Translations = Readonly<Record<string, string>>

const pathTranslations: Translations = {
  '/oss/orders': '/tmf-api/serviceOrdering/v4',
  '/charging/balances': '/tmf-api/prepayBalanceManagement/v4',
  '/charging/usage': '/tmf-api/usageManagement/v4',
  '/oss/inventory': '/tmf-api/resourceInventoryManagement/v4',
}

const parameterTranslations: Translations = {
  clientRef: 'externalId',
  order: 'serviceOrder.id',
  sim: 'serialNumber',
  placedFrom: 'orderDate.gte',
  placedBefore: 'orderDate.lt',
  since: 'usageDate.gte',
  before: 'usageDate.lt',
  start: 'offset',
  count: 'limit',
}
const subscriberParameters = ['logicalResource.id', 'usageCharacteristic.value']

const pageSize = 3

const characteristics: Translations = {
  iccid: 'SIM_SERIAL',
  msisdn: 'MSISDN',
  sku: 'OFFER',
  addedByExternalId: 'ADDED_BY',
  donorProviderId: 'LOSING_CARRIER',
  billingMethod: 'ACCOUNT_KIND',
  donorIccid: 'LOSING_SIM',
  donorAccountNumber: 'LOSING_ACCOUNT',
  portInState: 'PORT_STATUS',
  puk: 'UNLOCK_CODE',
  volume: 'VOLUME',
  duration: 'TICKS',
  messages: 'PIECES',
  destination: 'B_NUMBER',
}
const numberFields = new Set(['msisdn', 'destination'])

const itemTranslations: Readonly<Record<string, { id: string; name: string; action: string }>> = {
  'add mobileLine': { id: 'SVC-100', name: 'Mobile access', action: 'add' },
  'delete mobileLine': { id: 'SVC-100', name: 'Mobile access', action: 'delete' },
  'add prepaidPlan': { id: 'SVC-200', name: 'Prepay offer', action: 'modify' },
  'delete prepaidPlan': { id: 'SVC-201', name: 'Prepay offer end', action: 'modify' },
  'add addOn': { id: 'SVC-300', name: 'Option', action: 'add' },
  'delete addOn': { id: 'SVC-300', name: 'Option', action: 'delete' },
  'add numberPortIn': { id: 'SVC-900', name: 'Port in', action: 'add' },
}

const stateTranslations: Translations = {
  acknowledged: 'queued',
  pending: 'waiting',
  inProgress: 'provisioning',
  completed: 'finished',
  failed: 'broken',
  cancelled: 'withdrawn',
}

const portStates: Translations = {
  draft: '10',
  requested: '20',
  informationRequired: '25',
  awaitingCustomerReply: '30',
  confirmed: '40',
  inProgress: '50',
  completed: '90',
  declined: '81',
  expired: '82',
  cancelled: '83',
}

const codeTranslations: Translations = {
  NETWORK_BUSY: 'E-700',
  DUPLICATE: 'E-701',
  SIM_NOT_ACTIVE: 'E-702',
  UNKNOWN_PRODUCT: 'E-703',
  ORDER_IN_PROGRESS: 'E-704',
  NUMBER_ON_THIS_NETWORK: 'E-705',
  DONOR_ACCOUNT_MISMATCH: 'P-17',
  NO_CUSTOMER_REPLY: 'P-18',
  CUSTOMER_SAID_NO: 'P-19',
}

const billingMethods: Translations = { prepay: 'PP', account: 'AC' }
const usageTypes: Translations = { data: 'GPRS', voice: 'MOC', sms: 'SMS-MO' }
/** Conversion factors from the simulator's units to the `tasman` dialect's: thousands of bytes, tenths of a minute, and messages. */
const unitFactors = { GPRS: 1_000, MOC: 10, 'SMS-MO': 1 } as const
const unitNames = { GPRS: 'KByte', MOC: 'ticks', 'SMS-MO': 'pieces' } as const

const translateToDialect = (words: Translations, word: string): string =>
  Object.hasOwn(words, word) ? words[word]! : word
const translateFromDialect = (words: Translations, word: string): string =>
  Object.entries(words).find(([, value]) => value === word)?.[0] ?? `unknown ${word}`

// The `tasman` carrier operates only in New Zealand, so all numbers are New Zealand numbers.
const toNationalNumber = (digits: string): string => digits.replace(/^\+?64/, '0')
const toInternationalNumber = (dialled: string): string =>
  dialled.startsWith('0') ? `64${dialled.slice(1)}` : 'no number'

export function translateUrl(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://network')
  const base = Object.keys(pathTranslations).find((path) => pathname.startsWith(`${path}/`))
  if (!base) return '/elsewhere'
  const query = new URLSearchParams()
  for (const [name, value] of searchParams) {
    if (name === 'subscriber')
      for (const filter of subscriberParameters) query.set(filter, toInternationalNumber(value))
    else query.set(Object.hasOwn(parameterTranslations, name) ? parameterTranslations[name]! : `unknown.${name}`, value)
  }
  if (query.has('limit')) query.set('limit', String(Math.min(pageSize, Number(query.get('limit')))))
  // Each list accepts only its own parameter for the subscriber, so remove the one that belongs to the other list.
  query.delete(pathname.endsWith('/usage') ? subscriberParameters[0]! : subscriberParameters[1]!)
  return `${pathTranslations[base]}${pathname.slice(base.length)}${query.size > 0 ? `?${query}` : ''}`
}

export function translateRequest(body: Json): Json {
  if (Array.isArray(body)) return body.map(translateRequest)
  if (typeof body !== 'object' || body === null) return body
  const read: JsonObject = Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, translateRequest(value)]),
  )
  if ('name' in read && 'value' in read) return readCharacteristic(String(read['name']), String(read['value']))
  const service = read['service'] as { serviceSpecification?: { id?: Json; name?: Json } } | undefined
  const { id, name } = service?.serviceSpecification ?? {}
  if (service === undefined) return read
  const own = Object.keys(itemTranslations).find(
    (key) =>
      itemTranslations[key]!.id === id &&
      itemTranslations[key]!.name === name &&
      itemTranslations[key]!.action === read['action'],
  )
  const [action = 'noChange', specification = `unknown ${String(id)}`] = own?.split(' ') ?? []
  return { ...read, action, service: { ...service, serviceSpecification: { id: specification } } }
}

function readCharacteristic(name: string, value: string): JsonObject {
  // The `tasman` dialect has its own name for the number being transferred.
  const own = name === 'NUMBER_TO_PORT' ? 'msisdn' : translateFromDialect(characteristics, name)
  if (numberFields.has(own)) return { name: own, value: toInternationalNumber(value) }
  if (own === 'billingMethod') return { name: own, value: translateFromDialect(billingMethods, value) }
  // In the `tasman` dialect, provider ids start with `C-`.
  if (own === 'donorProviderId') return { name: own, value: value.startsWith('C-') ? value.slice(2) : '' }
  return { name: own, value }
}

export function translateResponse(body: Json): Json {
  if (Array.isArray(body)) return body.map(translateResponse)
  if (typeof body !== 'object' || body === null) return body
  const fields: JsonObject = { ...body }
  if (typeof fields['usageType'] === 'string') return writeUsage(fields)
  if ('name' in fields && 'value' in fields) return writeCharacteristic(String(fields['name']), fields['value'])
  if ('milestoneDate' in fields) fields['name'] = translateToDialect(portStates, String(fields['name']))
  if (typeof fields['state'] === 'string') fields['state'] = translateToDialect(stateTranslations, fields['state'])
  if (typeof fields['code'] === 'string') fields['code'] = translateToDialect(codeTranslations, fields['code'])
  const service = fields['service'] as { serviceSpecification: { id: string } } | undefined
  if (service) {
    const { id, name, action } = itemTranslations[`${String(fields['action'])} ${service.serviceSpecification.id}`]!
    return writeFields({ ...fields, action, service: { ...service, serviceSpecification: { id, name } } })
  }
  return writeFields(fields)
}

const writeFields = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, translateResponse(value)]))

function writeCharacteristic(name: string, value: Json): JsonObject {
  const text = String(value)
  if (numberFields.has(name)) return { name: translateToDialect(characteristics, name), value: toNationalNumber(text) }
  if (name === 'portInState')
    return { name: translateToDialect(characteristics, name), value: translateToDialect(portStates, text) }
  if (name === 'billingMethod')
    return { name: translateToDialect(characteristics, name), value: translateToDialect(billingMethods, text) }
  return { name: translateToDialect(characteristics, name), value }
}

/** Translates a usage record into the `tasman` dialect, which has its own units and does not state them in the record. */
function writeUsage(fields: JsonObject): JsonObject {
  const type = translateToDialect(usageTypes, String(fields['usageType'])) as keyof typeof unitFactors
  const { remainingValue, usageCharacteristic, logicalResource, status } = fields as {
    remainingValue?: { amount: number }
    usageCharacteristic?: { name: string; value: string }[]
    logicalResource?: { id: string }[]
    status: string
  }
  const convertAmount = (much: number): number => Math.round(much * unitFactors[type])
  return {
    ...fields,
    usageType: type,
    status: status === 'active' ? 'IN_USE' : status,
    ...(remainingValue && { remainingValue: { amount: convertAmount(remainingValue.amount), units: unitNames[type] } }),
    ...(logicalResource && {
      logicalResource: logicalResource.map(({ id }) => ({ id: 'line', name: toNationalNumber(id) })),
    }),
    ...(usageCharacteristic && {
      usageCharacteristic: usageCharacteristic.map(({ name, value }) => {
        if (numberFields.has(name))
          return { name: name === 'msisdn' ? 'A_NUMBER' : 'B_NUMBER', value: toNationalNumber(value) }
        const measuredAmount = Number.parseFloat(value) / (name === 'duration' ? 60 : 1)
        return { name: translateToDialect(characteristics, name), value: String(convertAmount(measuredAmount)) }
      }),
    }),
  }
}
