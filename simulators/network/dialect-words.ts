export type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json }
type Fields = { [key: string]: Json }
type Words = Readonly<Record<string, string>>

const paths: Words = {
  '/oss/orders': '/tmf-api/serviceOrdering/v4',
  '/charging/balances': '/tmf-api/prepayBalanceManagement/v4',
  '/charging/usage': '/tmf-api/usageManagement/v4',
  '/oss/inventory': '/tmf-api/resourceInventoryManagement/v4',
}

const parameters: Words = {
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
const subscriber = ['logicalResource.id', 'usageCharacteristic.value']

const pageSize = 3

const characteristics: Words = {
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
const numbers = new Set(['msisdn', 'destination'])

const items: Readonly<Record<string, { id: string; name: string; action: string }>> = {
  'add mobileLine': { id: 'SVC-100', name: 'Mobile access', action: 'add' },
  'delete mobileLine': { id: 'SVC-100', name: 'Mobile access', action: 'delete' },
  'add prepaidPlan': { id: 'SVC-200', name: 'Prepay offer', action: 'modify' },
  'delete prepaidPlan': { id: 'SVC-201', name: 'Prepay offer end', action: 'modify' },
  'add addOn': { id: 'SVC-300', name: 'Option', action: 'add' },
  'delete addOn': { id: 'SVC-300', name: 'Option', action: 'delete' },
  'add numberPortIn': { id: 'SVC-900', name: 'Port in', action: 'add' },
}

const states: Words = {
  acknowledged: 'queued',
  pending: 'waiting',
  inProgress: 'provisioning',
  completed: 'finished',
  failed: 'broken',
  cancelled: 'withdrawn',
}

const portStates: Words = {
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

const codes: Words = {
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

const billingMethods: Words = { prepay: 'PP', account: 'AC' }
const usageTypes: Words = { data: 'GPRS', voice: 'MOC', sms: 'SMS-MO' }
/** Factors for thousands of bytes, tenths of a minute, and messages. */
const perUnit = { GPRS: 1_000, MOC: 10, 'SMS-MO': 1 } as const
const unitNames = { GPRS: 'KByte', MOC: 'ticks', 'SMS-MO': 'pieces' } as const

const theirs = (words: Words, word: string): string => (Object.hasOwn(words, word) ? words[word]! : word)
const ours = (words: Words, word: string): string =>
  Object.entries(words).find(([, value]) => value === word)?.[0] ?? `unknown ${word}`

// This carrier operates only in New Zealand, so every number is from there.
const national = (digits: string): string => digits.replace(/^\+?64/, '0')
const international = (dialled: string): string => (dialled.startsWith('0') ? `64${dialled.slice(1)}` : 'no number')

export function translateUrl(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://network')
  const base = Object.keys(paths).find((path) => pathname.startsWith(`${path}/`))
  if (!base) return '/elsewhere'
  const query = new URLSearchParams()
  for (const [name, value] of searchParams) {
    if (name === 'subscriber') for (const filter of subscriber) query.set(filter, international(value))
    else query.set(Object.hasOwn(parameters, name) ? parameters[name]! : `unknown.${name}`, value)
  }
  if (query.has('limit')) query.set('limit', String(Math.min(pageSize, Number(query.get('limit')))))
  // Each list knows only its own one of the two parameters.
  query.delete(pathname.endsWith('/usage') ? subscriber[0]! : subscriber[1]!)
  return `${paths[base]}${pathname.slice(base.length)}${query.size > 0 ? `?${query}` : ''}`
}

export function readsAs(body: Json): Json {
  if (Array.isArray(body)) return body.map(readsAs)
  if (typeof body !== 'object' || body === null) return body
  const read: Fields = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, readsAs(value)]))
  if ('name' in read && 'value' in read) return readCharacteristic(String(read['name']), String(read['value']))
  const service = read['service'] as { serviceSpecification?: { id?: Json; name?: Json } } | undefined
  const { id, name } = service?.serviceSpecification ?? {}
  if (service === undefined) return read
  const own = Object.keys(items).find(
    (key) => items[key]!.id === id && items[key]!.name === name && items[key]!.action === read['action'],
  )
  const [action = 'noChange', specification = `unknown ${String(id)}`] = own?.split(' ') ?? []
  return { ...read, action, service: { ...service, serviceSpecification: { id: specification } } }
}

function readCharacteristic(name: string, value: string): Fields {
  // The number to transfer has a name of its own in the dialect.
  const own = name === 'NUMBER_TO_PORT' ? 'msisdn' : ours(characteristics, name)
  if (numbers.has(own)) return { name: own, value: international(value) }
  if (own === 'billingMethod') return { name: own, value: ours(billingMethods, value) }
  // The dialect's provider ids begin with `C-`.
  if (own === 'donorProviderId') return { name: own, value: value.startsWith('C-') ? value.slice(2) : '' }
  return { name: own, value }
}

export function writesAs(body: Json): Json {
  if (Array.isArray(body)) return body.map(writesAs)
  if (typeof body !== 'object' || body === null) return body
  const fields: Fields = { ...body }
  if (typeof fields['usageType'] === 'string') return writeUsage(fields)
  if ('name' in fields && 'value' in fields) return writeCharacteristic(String(fields['name']), fields['value'])
  if ('milestoneDate' in fields) fields['name'] = theirs(portStates, String(fields['name']))
  if (typeof fields['state'] === 'string') fields['state'] = theirs(states, fields['state'])
  if (typeof fields['code'] === 'string') fields['code'] = theirs(codes, fields['code'])
  const service = fields['service'] as { serviceSpecification: { id: string } } | undefined
  if (service) {
    const { id, name, action } = items[`${String(fields['action'])} ${service.serviceSpecification.id}`]!
    return writeFields({ ...fields, action, service: { ...service, serviceSpecification: { id, name } } })
  }
  return writeFields(fields)
}

const writeFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, writesAs(value)]))

function writeCharacteristic(name: string, value: Json): Fields {
  const text = String(value)
  if (numbers.has(name)) return { name: theirs(characteristics, name), value: national(text) }
  if (name === 'portInState') return { name: theirs(characteristics, name), value: theirs(portStates, text) }
  if (name === 'billingMethod') return { name: theirs(characteristics, name), value: theirs(billingMethods, text) }
  return { name: theirs(characteristics, name), value }
}

/** The dialect has its own units, and a usage record does not name its unit. */
function writeUsage(fields: Fields): Fields {
  const type = theirs(usageTypes, String(fields['usageType'])) as keyof typeof perUnit
  const { remainingValue, usageCharacteristic, logicalResource, status } = fields as {
    remainingValue?: { amount: number }
    usageCharacteristic?: { name: string; value: string }[]
    logicalResource?: { id: string }[]
    status: string
  }
  const amount = (much: number): number => Math.round(much * perUnit[type])
  return {
    ...fields,
    usageType: type,
    status: status === 'active' ? 'IN_USE' : status,
    ...(remainingValue && { remainingValue: { amount: amount(remainingValue.amount), units: unitNames[type] } }),
    ...(logicalResource && { logicalResource: logicalResource.map(({ id }) => ({ id: 'line', name: national(id) })) }),
    ...(usageCharacteristic && {
      usageCharacteristic: usageCharacteristic.map(({ name, value }) => {
        if (numbers.has(name)) return { name: name === 'msisdn' ? 'A_NUMBER' : 'B_NUMBER', value: national(value) }
        const measured = Number.parseFloat(value) / (name === 'duration' ? 60 : 1)
        return { name: theirs(characteristics, name), value: String(amount(measured)) }
      }),
    }),
  }
}
