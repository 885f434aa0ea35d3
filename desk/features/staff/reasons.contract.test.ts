import * as v from 'valibot'
import { expect, test } from 'vitest'
import { reasonFields, formatStoredReason, reasonLabel, checkReasonNote } from './reasons.contract.ts'

const schema = v.pipe(v.object(reasonFields()), checkReasonNote())
const faultOf = (said: object) => v.safeParse(schema, said).issues?.[0].path?.[0]?.key ?? null

test('a reason for a staff action must be a known code, and “other” requires a note', () => {
  expect(faultOf({ reason: 'outage' })).toBe(null)
  expect(faultOf({ reason: 'because' })).toBe('reason')
  expect(faultOf({ reason: 'other' })).toBe('note')
  expect(faultOf({ reason: 'other', note: '12345678901' })).toBe('note')
  expect(faultOf({ reason: 'other', note: 'agreed on the call' })).toBe(null)
  expect(faultOf({ reason: 'outage', note: 'x'.repeat(501) })).toBe('note')
})

test('control characters are removed from a note, but its line breaks are kept', () => {
  expect(v.parse(schema, { reason: 'outage', note: ' a\u001B[31m\nb ' }).note).toBe('a [31m\nb')
})

test('a stored reason is shown as a label together with its note', () => {
  expect(formatStoredReason({ reason: 'outage', note: '' })).toBe('outage')
  expect(reasonLabel(formatStoredReason({ reason: 'outage', note: 'half: agreed' }))).toBe(
    'Outage or fault: half: agreed',
  )
  expect(reasonLabel('their own words')).toBe('their own words')
})
