import { expect, test } from 'vitest'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ hashing: 'real' })

test("accepts only one of a customer's five concurrent payments for a new-customer plan", async () => {
  const customer = await makeCustomer(world())
  const tabs = [customer.visitor]
  while (tabs.length < 5) tabs.push(await logInAs(world(), customer))
  const travellers = []
  for (const visitor of tabs)
    travellers.push(
      await advanceWizardTo({ ...world(), visitor: () => visitor }, 'PAYMENT', { plan: 'welcome-30-25gb' }),
    )
  const answers = await Promise.all(travellers.map(({ pay }) => pay()))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400])
  expect(await findFaultsWhenIdle(world())).toEqual([])
})
