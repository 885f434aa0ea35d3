import { expect, test } from 'vitest'
import { defaultMapping } from './mapping.ts'
import { findContradiction } from './line-identifiers.ts'

const line = { iccid: '8964010000000000011', msisdn: '64210000001' }
const orderWith = (json: string) => ({
  id: '1',
  state: 'completed',
  serviceOrderItem: [{ service: { serviceCharacteristic: JSON.parse(json) as { name: string; value: unknown }[] } }],
})

test.each([
  ['an ICCID as a JSON number, whose last digits are lost', '[{"name":"iccid","value":8964010000000000011}]'],
  ['the same ICCID as a string', '[{"name":"iccid","value":"8964010000000000011"}]'],
  ['the same number as a JSON number', '[{"name":"msisdn","value":64210000001}]'],
])('finds no contradiction between an order and its line in %s', (_, json) => {
  expect(findContradiction(orderWith(json), line, defaultMapping)).toBeNull()
})

test('a wrong phone number in an order is detected even if the network sends it as a JSON number', () => {
  const order = orderWith('[{"name":"msisdn","value":64210009042}]')
  expect(findContradiction(order, line, defaultMapping)).toBe('number ending 9042 instead of 0001')
})
