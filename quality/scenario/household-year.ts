import { setAutoRenewal } from '#quality/support/auto-renewal.ts'
import { cancelNextPlan } from '#quality/support/next-plan.ts'
import { buyAddOn, endOf, renew } from '#quality/support/purchases.ts'
import { addSimUsage } from '#quality/support/simulators.ts'
import type { Answer } from '#quality/support/visitor.ts'
import { type Household, look, type Name, readNumber } from './household.ts'

type Act = (house: Household) => Promise<unknown>

const days: Record<number, Act> = {
  0: async (house) => {
    await createAutoRenewalAction('monthly', 'PUT')(house)
    await createHalfDataAlertAction('monthly')(house)
  },
  20: uses('monthly', 4_000),
  24: uses('monthly', 2_000),
  25: adds('monthly', 'extra-2gb'),
  27: createRenewalAction('weekly', { product: 'plan-7-500mb' }),
  80: uses('monthly', 3_900),
  84: createRenewalAction('quarterly', { product: 'plan-90-25gb', body: { starts: 'at_end' } }),
  120: uses('quarterly', 24_000),
  160: createRenewalAction('quarterly', { product: 'plan-90-25gb', body: { starts: 'at_end' } }),
  161: createCancellationAction('quarterly'),
  162: createAutoRenewalAction('quarterly', 'PUT'),
  200: uses('monthly', 5_200),
  300: createAutoRenewalAction('yearly', 'PUT'),
  330: createAutoRenewalAction('monthly', 'DELETE'),
}

export async function runHouseholdYear(house: Household): Promise<void> {
  await look(house)
  for (let day = 0; day < 366; day++) {
    await days[day]?.(house)
    await house.world.advance('P1D')
    await look(house)
  }
}

function createAutoRenewalAction(name: Name, method: 'PUT' | 'DELETE'): Act {
  return async (house) => setAutoRenewal({ customer: house.customer, service: await readNumber(house, name) }, method)
}

/** Uses this many MB of data, on top of the SIM's simulated usage. */
function uses(name: Name, amount: number): Act {
  return ({ world, numbers }) => addSimUsage(world, { iccid: numbers[name].sim.iccid, type: 'data', amount })
}

function adds(name: Name, product: string): Act {
  return ({ world, customer: { visitor }, numbers }) =>
    good(endOf(visitor, buyAddOn(world, visitor, numbers[name], { product, saved: true })))
}

function createRenewalAction(name: Name, paying: Parameters<typeof renew>[3] & object): Act {
  return async (house) => {
    const { visitor } = house.customer
    await good(endOf(visitor, renew(house.world, visitor, await readNumber(house, name), { saved: true, ...paying })))
  }
}

function createCancellationAction(name: Name): Act {
  return async (house) => good(cancelNextPlan({ customer: house.customer, service: await readNumber(house, name) }))
}

function createHalfDataAlertAction(name: Name): Act {
  return ({ customer: { visitor }, numbers }) =>
    good(
      visitor.post(`/api/services/alerts/${numbers[name].id}/`, {
        half: 'text',
        most: 'text',
        all: 'both',
        before_end: 'both',
      }),
    )
}

async function good(answer: Promise<Answer>): Promise<void> {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`)
}
