import { NetworkFault } from './fault.ts'
import type { ListBehaviour } from './list-behaviour.ts'

export type Query = Record<string, string | string[] | undefined>

type ListedItem = { id: string; href: string }

const defaultLimit = 100
const reservedParameters = new Set(['fields', 'offset', 'limit'])

/**
 * Selects a page of a list using TM Forum's parameters: `fields`, `offset` and `limit`. `<attribute>.gte` and `<attribute>.lt` compare
 * instants, and any other parameter matches an attribute exactly. The counts are returned in headers.
 * @throws Fault 400 if offset or limit is not a whole number
 */
export function buildListPage(all: readonly ListedItem[], query: Query, habits: ListBehaviour) {
  const filters = habits.ignore_filters ? [] : Object.entries(query).filter(([name]) => !reservedParameters.has(name))
  const matchingItems = all.filter((item) => filters.every(([name, value]) => matchesFilter(item, name, value)))
  const offset = parseWholeNumber(query, 'offset', 0)
  const limit = Math.min(parseWholeNumber(query, 'limit', defaultLimit), habits.most ?? Infinity)
  const page = matchingItems.slice(offset, offset + limit)
  return {
    status: 200,
    headers: {
      ...(habits.total && { 'X-Total-Count': String(matchingItems.length) }),
      'X-Result-Count': String(page.length),
    },
    body: page.map((item) => selectFields(item, query)),
  }
}

function matchesFilter(item: object, name: string, value: unknown): boolean {
  const [, attribute = '', operator] = /^(.+)\.(gte|lt)$/.exec(name) ?? []
  if (!operator) return getValueAtPath(item, name) === value
  const timeDifference = Date.parse(String(getValueAtPath(item, attribute))) - Date.parse(String(value))
  return operator === 'gte' ? timeDifference >= 0 : timeDifference < 0
}

function getValueAtPath(item: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((part, name) => (typeof part === 'object' && part !== null ? Reflect.get(part, name) : null), item)
}

export function selectFields(item: ListedItem, { fields }: Query): Record<string, unknown> {
  if (fields === undefined) return item
  const requestedFields = new Set(['id', 'href', ...String(fields).split(',')])
  return Object.fromEntries(Object.entries(item).filter(([name]) => requestedFields.has(name)))
}

function parseWholeNumber(query: Query, name: string, absent: number): number {
  const text = query[name]
  if (text === undefined) return absent
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text)) {
    throw new NetworkFault(400, 'INVALID_QUERY', `${name} must be a whole number`)
  }
  return Number(text)
}
