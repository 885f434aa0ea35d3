import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForTime } from '#quality/support/data-usage.ts'
import { zone } from '#quality/support/auto-renewal.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { startWorld, type World } from '#quality/support/world.ts'
import { type Household, makeHousehold } from './household.ts'
import { findMessageFaults, findMoneyFaults } from './scenario-faults.ts'
import { runHouseholdYear } from './household-year.ts'
import { formatMessages } from './format-messages.ts'

/*
 * This scenario simulates a year in the life of a customer with four numbers. One renews automatically; one is paid ahead, then cancelled,
 * and finally renews automatically; one expires; and one was transferred from another provider. The tests check every email, every text
 * message and every cent.
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

test('the customer never receives a duplicate message, a message at night or a false statement', async () => {
  expect(await findMessageFaults(house)).toEqual([])
  // Require a large number of messages, because a year without any messages would pass as well.
  expect(house.messages.size).toBeGreaterThan(100)
})

test('every cent charged or refunded during the customer’s year is explained by an invoice or a credit note', async () => {
  expect(await findMoneyFaults(house)).toEqual([])
})

test('after a simulated year, the ledgers of the portal, gateway and network agree', async () => {
  expect(await findFaultsWhenIdle(world)).toEqual([])
})
