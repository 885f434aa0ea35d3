import { cycleCountOf, cycleDays } from '#kit/contract/plans.ts'
import type { PlanRoles } from './plan-roles.ts'
import {
  activatePlan,
  awaitFailedTransfer,
  confirmEmailAddress,
  enableAutoRenewal,
  refundFirstOrder,
  requestTransfer,
  type StoryStep,
} from './story.ts'

/** What a customer did at one moment. `ago` is an ISO 8601 duration in the market's time zone. */
export type PastMoment = { ago: string; steps: StoryStep[] }

export type CustomerStory = { about: string; past: PastMoment[] }

type DemoCustomer = { email: string; full_name: string; tell(plans: PlanRoles): CustomerStory }

// A demo customer is identified by their position in this list. Their SIM packs have positions far above those of the demo's stock.
export const demoCustomers: readonly DemoCustomer[] = [
  { email: 'mere@customer.example', full_name: 'Mere Walker', tell: tellAutoRenewal },
  { email: 'sione@customer.example', full_name: 'Sione Fa’asavalu', tell: tellSeveralServices },
  { email: 'olivia@customer.example', full_name: 'Olivia Harris', tell: tellUnconfirmedEmail },
  { email: 'tama@customer.example', full_name: 'Tama Brown', tell: tellExpiredPlan },
  { email: 'priya@customer.example', full_name: 'Priya Sharma', tell: tellFailedTransfer },
  { email: 'hemi@customer.example', full_name: 'Hēmi Kōwhai', tell: tellRefund },
]

function tellAutoRenewal({ usual }: PlanRoles): CustomerStory {
  return {
    about: 'One service with a saved card and auto-renewal',
    past: pastOf([daysRunning(usual, 12), activatePlan(9_001, 'usual'), confirmEmailAddress, enableAutoRenewal]),
  }
}

function tellSeveralServices({ longest, cheapest, shortest }: PlanRoles): CustomerStory {
  const hasCycles = cycleCountOf(longest.length_days) > 1
  return {
    about: hasCycles ? 'Several services; the longest plan is in its second cycle' : 'Several services',
    past: pastOf(
      [
        hasCycles ? daysInSecondCycle(longest) : daysRunning(longest, 12),
        activatePlan(9_002, 'longest'),
        confirmEmailAddress,
      ],
      [daysRunning(cheapest, 12), activatePlan(9_003, 'cheapest')],
      [daysRunning(shortest, 3), activatePlan(9_007, 'shortest')],
    ),
  }
}

function tellUnconfirmedEmail({ cheapest }: PlanRoles): CustomerStory {
  return {
    about: 'Email address not confirmed yet',
    past: pastOf([daysRunning(cheapest, 3), activatePlan(9_004, 'cheapest')]),
  }
}

function tellExpiredPlan({ shortest }: PlanRoles): CustomerStory {
  return {
    about: 'Prepay Plan expired a few days ago; the number is still reserved',
    past: pastOf([shortest.length_days + 5, activatePlan(9_005, 'shortest', { now: true }), confirmEmailAddress]),
  }
}

function tellFailedTransfer({ dearest }: PlanRoles): CustomerStory {
  const days = daysRunning(dearest, 12)
  const daysSinceTransfer = Math.floor(days / 4)
  return {
    about: 'A failed number transfer, not acknowledged yet',
    past: pastOf(
      [days, activatePlan(9_006, 'dearest'), confirmEmailAddress],
      [daysSinceTransfer, requestTransfer],
      // The network ends a transfer within five hours.
      [daysSinceTransfer > 0 ? `P${daysSinceTransfer - 1}DT19H` : 0, awaitFailedTransfer],
    ),
  }
}

function tellRefund({ cheapest }: PlanRoles): CustomerStory {
  const days = daysRunning(cheapest, 12)
  return {
    about: 'Refunded: has an invoice and a credit note',
    past: pastOf(
      [days, activatePlan(9_008, 'cheapest'), confirmEmailAddress],
      [Math.floor(days / 4), refundFirstOrder],
    ),
  }
}

type PlanLength = { length_days: number }

/** Days since the purchase of a plan that has not reached its second half: `days`, or fewer for a short plan. */
const daysRunning = ({ length_days: length }: PlanLength, days: number): number =>
  Math.min(days, Math.floor(length / 2))

/** Days since the purchase of a plan that is in its second cycle. */
const daysInSecondCycle = ({ length_days: length }: PlanLength): number =>
  cycleDays + Math.min(10, Math.floor((length - cycleDays) / 2))

/** Lists moments, the earliest first. Steps that happened the same time ago become one moment. */
const pastOf = (...moments: [ago: string | number, ...steps: StoryStep[]][]): PastMoment[] =>
  [...Map.groupBy(moments, ([ago]) => (typeof ago === 'number' ? `P${ago}D` : ago))].map(([ago, together]) => ({
    ago,
    steps: together.flatMap(([, ...steps]) => steps),
  }))
