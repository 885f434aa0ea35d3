import * as v from 'valibot'
import { expect, test } from 'vitest'
import { calendarDaySchema } from './day-schema.ts'

const says = 'Please enter a day, such as 2026-11-26.'
const readsAs = (text: unknown) => v.safeParse(calendarDaySchema(says), text)

test.each(['2026-11-26', '2028-02-29', '0001-01-01', '9999-12-31'])('accepts the day %s', (text) =>
  expect(readsAs(text)).toMatchObject({ success: true, output: text }),
)

test.each([
  '2026-02-30',
  '2027-02-29',
  '2026-11-31',
  '2026-13-01',
  '2026-1-1',
  '2026-11-26T00:00',
  '',
  7,
  '9'.repeat(9_999),
])('rejects %s, which is not a day', (text) =>
  expect(readsAs(text)).toMatchObject({ success: false, issues: [{ message: says }] }),
)
