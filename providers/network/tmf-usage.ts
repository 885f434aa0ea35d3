import * as v from 'valibot'
import { createCall, isSuccess, type TmfAnswer, type TmfOptions } from './tmf.call.ts'
import type { Balance, NetworkUsage, UsageRecord } from './usage.port.ts'

const balanceApi = '/tmf-api/prepayBalanceManagement/v4'
const usageApi = '/tmf-api/usageManagement/v4'

/** As many as one call answers, and calls for one list: a week of the busiest phone is a few hundred records. */
const pageSize = 200
const mostPages = 25

const usageTypes = ['data', 'voice', 'sms'] as const

/** The parts of a TMF654 bucket that the product reads. Of another kind of balance it reads nothing. */
const bucketSchema = v.object({
  usageType: v.string(),
  status: v.nullish(v.string()),
  remainingValue: v.nullish(
    v.object({ amount: v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.finite()), units: v.string() }),
  ),
  validFor: v.nullish(v.object({ startDateTime: v.nullish(v.string()), endDateTime: v.nullish(v.string()) })),
  product: v.nullish(v.array(v.object({ id: v.nullish(v.string()), name: v.nullish(v.string()) }))),
})

/** The parts of a TMF635 usage that the product reads. */
const usageSchema = v.object({
  usageDate: v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(Date.parse(text))),
  ),
  usageType: v.string(),
  usageCharacteristic: v.nullish(v.array(v.object({ name: v.string(), value: v.unknown() }))),
})

/** Balances behind TM Forum's TMF654 and usage behind its TMF635, both v4. */
export function createNetworkUsage(options: TmfOptions): NetworkUsage {
  const askBalances = createCall({ ...options, api: balanceApi })
  const askUsage = createCall({ ...options, api: usageApi })
  return {
    async balances(msisdn) {
      const query = new URLSearchParams({ 'logicalResource.id': digits(msisdn) })
      const answer = await readAll((page) => askBalances(`/bucket?${query}&${page}`), bucketSchema)
      if ('why' in answer) return { outcome: 'unknown', why: answer.why }
      return { outcome: 'known', balances: answer.items.flatMap(balanceOf) }
    },
    async records(msisdn, from, until) {
      const query = new URLSearchParams({
        'usageCharacteristic.name': 'msisdn',
        'usageCharacteristic.value': digits(msisdn),
        'usageDate.gte': from.toString(),
        'usageDate.lt': until.toString(),
      })
      const answer = await readAll((page) => askUsage(`/usage?${query}&${page}`), usageSchema)
      if ('why' in answer) return { outcome: 'unknown', why: answer.why }
      const records = answer.items.flatMap(recordOf).toSorted((a, b) => a.at.localeCompare(b.at))
      return { outcome: 'known', records }
    },
  }
}

/** Every page of a list. A network that answers half of it has not answered. */
async function readAll<S extends v.GenericSchema>(
  ask: (page: string) => Promise<TmfAnswer>,
  schema: S,
): Promise<{ items: v.InferOutput<S>[] } | { why: string }> {
  const items: v.InferOutput<S>[] = []
  for (let page = 0; page < mostPages; page++) {
    const answer = await ask(`offset=${page * pageSize}&limit=${pageSize}`)
    if ('why' in answer) return answer
    const read = isSuccess(answer.status) ? v.safeParse(v.array(schema), answer.body) : null
    if (!read?.success) return { why: `HTTP ${answer.status}${read ? ' without a list that can be read' : ''}` }
    items.push(...read.output)
    const total = Number(answer.headers.get('x-total-count') ?? items.length)
    if (read.output.length === 0 || items.length >= total) return { items }
  }
  return { why: 'the list does not end' }
}

// What each unit is of ours: MB, minutes, messages.
const units: Readonly<Record<string, number>> = {
  kb: 0.001,
  mb: 1,
  gb: 1000,
  minutes: 1,
  minute: 1,
  seconds: 1 / 60,
  messages: 1,
  sms: 1,
}

function balanceOf({
  usageType,
  status,
  remainingValue,
  validFor,
  product,
}: v.InferOutput<typeof bucketSchema>): Balance[] {
  const type = usageTypes.find((known) => known === usageType)
  const factor = units[remainingValue?.units.toLowerCase() ?? '']
  const [{ id = null, name = null } = {}] = product ?? []
  if (!type || !remainingValue || factor === undefined || !name || (status ?? 'active') !== 'active') return []
  const { startDateTime: from, endDateTime: until } = validFor ?? {}
  if (!from || !until) return []
  return [{ operationId: id, sku: name, type, remaining: Math.max(0, remainingValue.amount * factor), from, until }]
}

function recordOf({ usageDate, usageType, usageCharacteristic }: v.InferOutput<typeof usageSchema>): UsageRecord[] {
  const type = usageTypes.find((known) => known === usageType)
  if (!type) return []
  const value = (name: string): string => String(usageCharacteristic?.find((one) => one.name === name)?.value ?? '')
  const measured = { data: 'volume', voice: 'duration', sms: 'messages' } as const
  const [, number = '0', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(value(measured[type]).trim()) ?? []
  const factor =
    type === 'data' ? (units[unit.toLowerCase() || 'mb'] ?? 1) : unit.toLowerCase().startsWith('min') ? 60 : 1
  const destination = value('destination')
  return [
    {
      at: new Date(usageDate).toISOString(),
      type,
      amount: Number(number) * factor,
      destination: destination ? `+${digits(destination)}` : null,
    },
  ]
}

// Numbers travel without their plus.
const digits = (msisdn: string): string => msisdn.replace(/^\+/, '')
