import { expect, test } from 'vitest'
import { markets } from '../server/markets.ts'
import { appendZone, appendZoneToTime, getCommaAfterZone } from './zone-name.ts'

test('names Sydney time after a time or its date in Australia, which has five time zones', () => {
  const { zone } = markets.AU
  expect(appendZone('9 am on Mon 28 Dec', zone)).toBe('9 am on Mon 28 Dec, Sydney time')
  expect(appendZoneToTime('9 am', zone)).toBe('9 am Sydney time')
  expect(`On ${appendZone('Mon 28 Dec at 9 am', zone)}${getCommaAfterZone(zone)} we will`).toBe(
    'On Mon 28 Dec at 9 am, Sydney time, we will',
  )
})

test('names no time zone in New Zealand', () => {
  const { zone } = markets.NZ
  expect(appendZone('9 am on Mon 28 Dec', zone)).toBe('9 am on Mon 28 Dec')
  expect(appendZoneToTime('9 am', zone)).toBe('9 am')
  expect(getCommaAfterZone(zone)).toBe('')
})
