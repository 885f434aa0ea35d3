import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForTime } from '#quality/support/data-use.ts'
import { zone } from '#quality/support/auto-renewal.ts'
import { faultsWhenQuiet } from '#quality/support/reconciliation.ts'
import { startWorld, type World } from '#quality/support/world.ts'
import { type Household, makeHousehold } from './household.ts'
import { faultsOfMessages, faultsOfMoney } from './scenario-faults.ts'
import { runHouseholdYear } from './household-year.ts'
import { formatMessages } from './message-sheet.ts'

/*
 * This scenario simulates a year of a customer with four numbers. One number renews by itself; one is paid ahead, cancelled, and then
 * renews by itself; one expires; and one was transferred. The tests check every email, text message and cent.
 */
let world: World
let house: Household

beforeAll(async () => {
  world = await startWorld({ thresholds: { usageLooks: 100 } })
  await waitForTime(world, '10:00')
  house = await makeHousehold(world)
  await runHouseholdYear(house)
  const sheet = process.env['YEAR_SHEET']
  if (sheet) writeFileSync(sheet, `${formatMessages(house.messages.values(), zone)}\n`)
}, 1_500_000)
afterAll(() => world.close())

test('no message to the customer is sent twice, at night or with a false statement', async () => {
  expect(await faultsOfMessages(house)).toEqual([])
  // Require many messages, because a year without any message would pass as well.
  expect(house.messages.size).toBeGreaterThan(100)
})

test('every cent charged or refunded in the customer’s year is explained by an invoice or a credit note', async () => {
  expect(await faultsOfMoney(house)).toEqual([])
})

test('the ledgers of portal, gateway and network agree after a simulated year', async () => {
  expect(await faultsWhenQuiet(world)).toEqual([])
})
