import * as v from 'valibot'
import { defaultMapping, type NetworkMapping } from './mapping.ts'
import { isSameNumber, parseDestination, formatNumber } from './phone-numbers.ts'
import { createTmfClient, type TmfOptions } from './tmf.client.ts'
import { readAllPages } from './tmf.list.ts'
import type { Balance, NetworkUsage, UsageRecord, UsageType } from './usage.port.ts'

const bucketSchema = v.object({
  usageType: v.string(),
  status: v.nullish(v.string()),
  remainingValue: v.nullish(
    v.object({ amount: v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.finite()), units: v.string() }),
  ),
  validFor: v.nullish(v.object({ startDateTime: v.nullish(v.string()), endDateTime: v.nullish(v.string()) })),
  product: v.nullish(v.array(v.object({ id: v.nullish(v.string()), name: v.nullish(v.string()) }))),
  logicalResource: v.nullish(
    v.array(v.object({ id: v.unknown(), name: v.optional(v.unknown()), value: v.optional(v.unknown()) })),
  ),
})

const usageSchema = v.object({
  usageDate: v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(Date.parse(text))),
  ),
  usageType: v.string(),
  usageCharacteristic: v.nullish(v.array(v.object({ name: v.string(), value: v.unknown() }))),
})

type Bucket = v.InferOutput<typeof bucketSchema>
type Usage = v.InferOutput<typeof usageSchema>

/**
 * Creates a client for usage and balances. The network's filters are not trusted: items that do not name the requested line, or that fall
 * outside the requested period, are left out.
 */
export function createNetworkUsage({
  mapping = defaultMapping,
  ...options
}: TmfOptions & { mapping?: NetworkMapping }): NetworkUsage {
  const requestBalances = createTmfClient({ ...options, api: mapping.paths.balances })
  const requestUsage = createTmfClient({ ...options, api: mapping.paths.usage })
  const { filters, numbers, paging } = mapping
  return {
    async balances(msisdn) {
      const query = new URLSearchParams({ [filters.bucketMsisdn]: formatNumber(msisdn, numbers.usage) })
      const answer = await readAllPages((page) => requestBalances(`/bucket?${query}&${page}`), bucketSchema, paging)
      if ('why' in answer) return { outcome: 'unknown', why: answer.why, foreign: 0 }
      const { own, foreign } = selectOwnItems(answer.items, getBucketLineNames, msisdn, mapping)
      // An empty list of balances would tell the customer that they have no allowance left.
      if (foreign > 0 && own.length === 0) return { outcome: 'unknown', why: missingLineReason, foreign }
      return { outcome: 'known', balances: own.flatMap((bucket) => toBalances(bucket, mapping)), foreign }
    },
    async records(msisdn, from, until) {
      const query = new URLSearchParams({
        ...(filters.usageName !== null && { [filters.usageName]: mapping.usage.characteristics.msisdn }),
        [filters.usageMsisdn]: formatNumber(msisdn, numbers.usage),
        [filters.usageFrom]: from.toString(),
        [filters.usageUntil]: until.toString(),
      })
      const answer = await readAllPages((page) => requestUsage(`/usage?${query}&${page}`), usageSchema, paging)
      if ('why' in answer) return { outcome: 'unknown', why: answer.why, foreign: 0 }
      const { own, foreign, unnamed } = selectOwnItems(
        answer.items,
        (usage) => getUsageLineNames(usage, mapping),
        msisdn,
        mapping,
      )
      // If all usage records are for other lines, this line was simply not used. Records that do not name a line may belong to this one.
      if (unnamed > 0 && own.length === 0) return { outcome: 'unknown', why: missingLineReason, foreign }
      const [start, end] = [from.epochMilliseconds, until.epochMilliseconds]
      const records = own
        .filter(({ usageDate }) => Date.parse(usageDate) >= start && Date.parse(usageDate) < end)
        .flatMap((usage) => toUsageRecords(usage, msisdn, mapping))
        .toSorted((a, b) => a.at.localeCompare(b.at))
      return { outcome: 'known', records, foreign }
    },
  }
}

const missingLineReason = 'nothing in the list names the line'

const getBucketLineNames = ({ logicalResource }: Bucket): string[] =>
  (logicalResource ?? []).flatMap(({ id, name, value }) => [id, name, value].filter((text) => typeof text === 'string'))

const toText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const getUsageLineNames = ({ usageCharacteristic }: Usage, { usage: { characteristics } }: NetworkMapping): string[] =>
  (usageCharacteristic ?? []).flatMap(({ name, value }) =>
    name === characteristics.msisdn && toText(value) !== '' ? [toText(value)] : [],
  )

/**
 * Selects the items that name this number. Items that do not name a line count as own only if the mapping trusts the network's filter.
 * `foreign` counts all other items, and `unnamed` counts those of them that do not name a line.
 */
function selectOwnItems<Item>(
  items: readonly Item[],
  linesOf: (item: Item) => string[],
  msisdn: string,
  { numbers, usage }: NetworkMapping,
): { own: Item[]; foreign: number; unnamed: number } {
  const isOwn = (lines: readonly string[]): boolean =>
    lines.length === 0 ? usage.trustsFilter : lines.some((text) => isSameNumber(text, msisdn, numbers.usage))
  const own = items.filter((item) => isOwn(linesOf(item)))
  const foreignItemCount = items.length - own.length
  return {
    own,
    foreign: foreignItemCount,
    unnamed: usage.trustsFilter ? 0 : items.filter((item) => linesOf(item).length === 0).length,
  }
}

const getUsageType = (word: string, { usage: { types } }: NetworkMapping): UsageType | null =>
  Object.hasOwn(types, word) ? (types[word] ?? null) : null

/** Returns how many MB, seconds or messages a unit stands for, or `null` for an unknown unit. */
function getUnitFactor(type: UsageType, unit: string, { usage: { units, unitless } }: NetworkMapping): number | null {
  const name = (unit || unitless[type]).toLowerCase()
  return Object.hasOwn(units[type], name) ? (units[type][name] ?? null) : null
}

function toBalances(
  { usageType, status, remainingValue, validFor, product }: Bucket,
  mapping: NetworkMapping,
): Balance[] {
  const type = getUsageType(usageType, mapping)
  const [{ id = null, name = null } = {}] = product ?? []
  if (!type || !remainingValue || !name) return []
  if (status && !mapping.usage.activeStatuses.includes(status)) return []
  const unitFactor = getUnitFactor(type, remainingValue.units.trim(), mapping)
  const { startDateTime: from, endDateTime: until } = validFor ?? {}
  if (unitFactor === null || !from || !until) return []
  const amount = Math.max(0, remainingValue.amount * unitFactor)
  // Usage records measure calls in seconds, but balances are in minutes.
  return [{ operationId: id, sku: name, type, remaining: type === 'voice' ? amount / 60 : amount, from, until }]
}

function toUsageRecords(
  { usageDate, usageType, usageCharacteristic }: Usage,
  msisdn: string,
  mapping: NetworkMapping,
): UsageRecord[] {
  const type = getUsageType(usageType, mapping)
  if (!type) return []
  const names = mapping.usage.characteristics
  const value = (name: string): string => toText(usageCharacteristic?.find((one) => one.name === name)?.value)
  const [, number = '0', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(value(names[type]).trim()) ?? []
  const factor = getUnitFactor(type, unit, mapping)
  if (factor === null) return []
  const destination = value(names.destination)
  return [
    {
      at: new Date(usageDate).toISOString(),
      type,
      amount: Number(number) * factor,
      destination: destination ? parseDestination(destination, msisdn, mapping.numbers.usage) : null,
    },
  ]
}
