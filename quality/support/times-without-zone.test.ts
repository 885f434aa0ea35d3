import { expect, test } from 'vitest'
import { findTimesWithoutZone } from './times-without-zone.ts'

test.each([
  'Your data renews at midnight on 16 Dec 2026.',
  'Updated 10:42 am',
  'Charged at 9\u00A0am on Mon 28 Dec. Times at the desk are Sydney time.',
])('“%s” has a time without its zone', (text) => expect(findTimesWithoutZone(text)).toHaveLength(1))

test.each([
  'Your data renews at midnight on 16 Dec 2026, Sydney time.',
  'Updated 10:42 am Sydney time',
  'Providers look at requests from 8 am to 8 pm on business days, Sydney time.',
  'Log in at fantail.example by 9 am on Mon 28 Dec, Sydney time',
  'Times are in Sydney time.\n22 Nov 2026,\n10:42 am',
  'Enter the code within 2 hours.',
])('“%s” names the zone of each time', (text) => expect(findTimesWithoutZone(text)).toEqual([]))
