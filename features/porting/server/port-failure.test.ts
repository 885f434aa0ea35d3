import { expect, test } from 'vitest'
import { findPortFailure } from '#providers/network/number-port-failures.ts'
import { getFailureReason, describePortFailure } from './port-failure.ts'

const deps = { failureOfPort: findPortFailure }

test.each([
  ['FAILED', 'DONOR_ACCOUNT_MISMATCH', 'prepay', 'sim_number', 'Spark has a different SIM number for this number.'],
  [
    'FAILED',
    'DONOR_ACCOUNT_MISMATCH',
    'account',
    'account_number',
    'Spark has a different account number for this number.',
  ],
  ['FAILED', 'NO_CUSTOMER_REPLY', 'prepay', 'no_reply', 'We didn’t get your ‘Yes’ within 2 hours.'],
  [
    'FAILED',
    'CUSTOMER_SAID_NO',
    'account',
    'said_no',
    'Someone replied ‘No’ to the text. If that wasn’t you, call Spark.',
  ],
  ['CANCELLED', null, 'prepay', 'cancelled', 'The transfer was cancelled, and the number is still with Spark.'],
  ['CANCELLING', null, 'prepay', null, ''],
  ['FAILED', 'SOMETHING_ELSE', 'prepay', null, ''],
  ['FAILED', null, 'prepay', null, ''],
  ['SUBMITTED', 'NO_CUSTOMER_REPLY', 'prepay', null, ''],
] as const)(
  'a transfer in status %s with the code %s (billing: %s) has the reason %s',
  (status, failure_code, billing_method, reason, sentence) => {
    expect(getFailureReason(deps, { status, failure_code, billing_method })).toBe(reason)
    expect(describePortFailure(reason, 'Spark', 'NZ')).toBe(sentence)
  },
)

test('in Australia, the reason given for a transfer that timed out is that the code was not entered', () =>
  expect(describePortFailure('no_reply', 'Optus', 'AU')).toBe('The code was not entered within 2 hours.'))
