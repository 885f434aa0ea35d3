import { expect, test } from 'vitest'
import { parseDeclineReason } from './declines.present.ts'

test.each([
  ['Refused: Expired Card', 'expired'],
  // In notifications, the reason lacks the prefix "Refused:", so test both forms.
  ['Expired Card', 'expired'],
  ['Refused: Not enough balance', 'no-funds'],
  ['Refused: Withdrawal amount exceeded', 'no-funds'],
  ['Refused: Withdrawal count exceeded', 'no-funds'],
  ['Refused: Blocked Card', null],
  ['Refused: FRAUD', null],
  ['Refused: Refused', null],
  ['Error: Acquirer Error', null],
  ['Refused: constructor', null],
  ['by notification', null],
  ['', null],
  [null, null],
])('translates the refusal reason %s to %s', (refusal, decline) => expect(parseDeclineReason(refusal)).toBe(decline))
