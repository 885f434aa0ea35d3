import { expect, test } from 'vitest'
import { findPortFailure } from './number-port-failures.ts'

test.each([
  ['DONOR_ACCOUNT_MISMATCH', 'donor_mismatch'],
  ['NO_CUSTOMER_REPLY', 'no_reply'],
  ['CUSTOMER_SAID_NO', 'said_no'],
  ['NUMBER_ON_THIS_NETWORK', null],
  ['constructor', null],
  ['', null],
  [null, null],
])('a number transfer’s decline code %j means %j', (code, failure) => expect(findPortFailure(code)).toBe(failure))

test('a mapping can translate a network’s own codes for declined number transfers', () => {
  expect(findPortFailure('P-17', { 'P-17': 'no_reply' })).toBe('no_reply')
  expect(findPortFailure('NO_CUSTOMER_REPLY', { 'P-17': 'no_reply' })).toBeNull()
})
