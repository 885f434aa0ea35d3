import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { exampleMapping } from '#quality/support/carrier.ts'
import { defaultMapping, networkMappingSchema } from './mapping.ts'

const faultsOf = (mapping: unknown): string[] => {
  const parsed = v.safeParse(networkMappingSchema, mapping)
  return parsed.success ? [] : parsed.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`)
}

/** Returns the paths of all leaf fields in an object, such as `paths.ordering`. A list or an empty table counts as a leaf. */
const fieldsOf = (part: object, at = ''): string[] =>
  Object.entries(part).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? fieldsOf(value, `${at}${name}.`)
      : [`${at}${name}`],
  )

describe('the example mapping in docs/carriers.md', () => {
  const example = JSON.parse(exampleMapping())

  test('the example in docs/carriers.md is a valid mapping', () => {
    expect(faultsOf(example)).toEqual([])
  })

  test('the example in docs/carriers.md contains every field, each with a value other than the default', () => {
    const mapped = v.parse(networkMappingSchema, example)
    const tables = ['donors', 'states', 'ports.states', 'ports.declines', 'ports.steps', 'usage.types', 'usage.units']
    const isOfTable = (field: string): boolean => tables.some((table) => field.startsWith(`${table}.`))
    const leaf = (mapping: object, field: string): unknown =>
      field.split('.').reduce<unknown>((part, name) => Reflect.get(part as object, name), mapping)
    const fields = fieldsOf(defaultMapping).filter((field) => !isOfTable(field))
    expect(fields.length).toBeGreaterThan(60)
    const same = fields.filter(
      (field) => JSON.stringify(leaf(mapped, field)) === JSON.stringify(leaf(defaultMapping, field)),
    )
    // The example keeps the default actions, because few other values make sense. `trustsFilter` has its own test.
    expect(same.filter((field) => !field.endsWith('.action'))).toEqual(['usage.trustsFilter'])
    for (const table of tables) expect(leaf(mapped, table)).not.toEqual(leaf(defaultMapping, table))
  })
})

test('fields left out of a network mapping keep their defaults', () => {
  const part = {
    orders: { port_in: { specificationId: 'PORT' } },
    usage: { units: { data: { Octets: 1e-6 } }, unitless: { data: 'OCTETS' } },
  }
  const mapped = v.parse(networkMappingSchema, part)
  expect(mapped.orders).toEqual({
    ...defaultMapping.orders,
    port_in: { action: 'add', specificationId: 'PORT', specificationName: null },
  })
  expect(mapped.usage.units).toEqual({ ...defaultMapping.usage.units, data: { octets: 1e-6 } })
})

test.each<[string, object, RegExp]>([
  ['a field that is not known', { orders: { swap_sim: {} } }, /^orders\.swap_sim: /],
  ['an empty name', { characteristics: { iccid: '' } }, /^characteristics\.iccid: must not be empty\.$/],
  ['a text that is too long', { states: { x: 'y'.repeat(101) } }, /^states\.x: /],
  ['a name that is too long', { states: { ['x'.repeat(101)]: 'running' } }, /must have 100 characters at most\.$/],
  [
    'a table that is too long',
    { donors: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`d${at}`, 'x'])) },
    /200 entries/,
  ],
  ['a URL instead of a path', { paths: { usage: 'https://elsewhere.example/usage' } }, /^paths\.usage: must be a path/],
  ['an unknown state', { states: { done: 'ready' } }, /^states\.done: /],
  ['a code in two lists', { errors: { retryable: ['E-1'], busy: ['E-1'] } }, /E-1 appears twice\.$/],
  ['a unit of size 0', { usage: { units: { sms: { pieces: 0 } } } }, /must be above 0\.$/],
  ['an undefined unit', { usage: { unitless: { data: 'furlongs' } } }, /furlongs is not among usage\.units\.data\.$/],
  ['a page size of 0', { paging: { size: 0 } }, /^paging\.size: must be 1 at least\.$/],
])('a network mapping with %s is invalid', (_what, mapping, line) => {
  expect(faultsOf(mapping)).toEqual([expect.stringMatching(line)])
})
