import { switchAutoRenewal } from '#quality/support/auto-renewal.ts'
import { cancel } from '#quality/support/next-plan.ts'
import { buyAddOn, endOf, renew } from '#quality/support/purchases.ts'
import { useSim } from '#quality/support/simulators.ts'
import type { Answer } from '#quality/support/visitor.ts'
import { type Household, look, type Name, numberNow } from './household.ts'

type Act = (house: Household) => Promise<unknown>

const days: Record<number, Act> = {
  0: async (house) => {
    await autoRenewal('monthly', 'PUT')(house)
    await alertAtHalf('monthly')(house)
  },
  20: uses('monthly', 4_000),
  24: uses('monthly', 2_000),
  25: adds('monthly', 'extra-2gb'),
  27: renews('weekly', { product: 'plan-7-500mb' }),
  80: uses('monthly', 3_900),
  84: renews('quarterly', { product: 'plan-90-25gb', body: { starts: 'at_end' } }),
  120: uses('quarterly', 24_000),
  160: renews('quarterly', { product: 'plan-90-25gb', body: { starts: 'at_end' } }),
  161: callsOff('quarterly'),
  162: autoRenewal('quarterly', 'PUT'),
  200: uses('monthly', 5_200),
  300: autoRenewal('yearly', 'PUT'),
  330: autoRenewal('monthly', 'DELETE'),
}

export async function liveAYear(house: Household): Promise<void> {
  await look(house)
  for (let day = 0; day < 366; day++) {
    await days[day]?.(house)
    await house.world.advance('P1D')
    await look(house)
  }
}

function autoRenewal(name: Name, method: 'PUT' | 'DELETE'): Act {
  return async (house) => switchAutoRenewal({ customer: house.customer, service: await numberNow(house, name) }, method)
}

/** Uses this many MB, in addition to what the SIM uses by itself. */
function uses(name: Name, amount: number): Act {
  return ({ world, numbers }) => useSim(world, { iccid: numbers[name].sim.iccid, type: 'data', amount })
}

function adds(name: Name, product: string): Act {
  return ({ world, customer: { visitor }, numbers }) =>
    good(endOf(visitor, buyAddOn(world, visitor, numbers[name], { product, saved: true })))
}

function renews(name: Name, paying: Parameters<typeof renew>[3] & object): Act {
  return async (house) => {
    const { visitor } = house.customer
    await good(endOf(visitor, renew(house.world, visitor, await numberNow(house, name), { saved: true, ...paying })))
  }
}

function callsOff(name: Name): Act {
  return async (house) => good(cancel({ customer: house.customer, service: await numberNow(house, name) }))
}

function alertAtHalf(name: Name): Act {
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
