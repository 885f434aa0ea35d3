import { getCycleCount, cycleLengthDays } from '#kit/contract/plans.ts'
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
export type TimedSteps = { ago: string; steps: StoryStep[] }

export type CustomerStory = { about: string; past: TimedSteps[] }

type DemoCustomer = { email: string; full_name: string; createStory(plans: PlanRoles): CustomerStory }

// A demo customer is identified by their position in this list. Their SIM packs have positions far above those of the demo's stock.
export const demoCustomers: readonly DemoCustomer[] = [
  { email: 'mere@customer.example', full_name: 'Mere Walker', createStory: createAutoRenewalStory },
  { email: 'sione@customer.example', full_name: 'Sione Fa’asavalu', createStory: createSeveralServicesStory },
  { email: 'olivia@customer.example', full_name: 'Olivia Harris', createStory: createUnconfirmedEmailStory },
  { email: 'tama@customer.example', full_name: 'Tama Brown', createStory: createExpiredPlanStory },
  { email: 'priya@customer.example', full_name: 'Priya Sharma', createStory: createFailedTransferStory },
  { email: 'hemi@customer.example', full_name: 'Hēmi Kōwhai', createStory: createRefundStory },
]

function createAutoRenewalStory({ usual }: PlanRoles): CustomerStory {
  return {
    about: 'One service with a saved card and auto-renewal',
    past: groupByTime([
      daysSincePurchase(usual, 12),
      activatePlan(9_001, 'usual'),
      confirmEmailAddress,
      enableAutoRenewal,
    ]),
  }
}

function createSeveralServicesStory({ longest, cheapest, shortest }: PlanRoles): CustomerStory {
  const hasSeveralCycles = getCycleCount(longest.length_days) > 1
  return {
    about: hasSeveralCycles ? 'Several services; the longest plan is in its second cycle' : 'Several services',
    past: groupByTime(
      [
        hasSeveralCycles ? daysInSecondCycle(longest) : daysSincePurchase(longest, 12),
        activatePlan(9_002, 'longest'),
        confirmEmailAddress,
      ],
      [daysSincePurchase(cheapest, 12), activatePlan(9_003, 'cheapest')],
      [daysSincePurchase(shortest, 3), activatePlan(9_007, 'shortest')],
    ),
  }
}

function createUnconfirmedEmailStory({ cheapest }: PlanRoles): CustomerStory {
  return {
    about: 'Email address not confirmed yet',
    past: groupByTime([daysSincePurchase(cheapest, 3), activatePlan(9_004, 'cheapest')]),
  }
}

function createExpiredPlanStory({ shortest }: PlanRoles): CustomerStory {
  return {
    about: 'Prepay Plan expired a few days ago; the number is still reserved',
    past: groupByTime([shortest.length_days + 5, activatePlan(9_005, 'shortest', { now: true }), confirmEmailAddress]),
  }
}

function createFailedTransferStory({ dearest }: PlanRoles): CustomerStory {
  const days = daysSincePurchase(dearest, 12)
  const daysSinceTransfer = Math.floor(days / 4)
  return {
    about: 'A failed number transfer, not acknowledged yet',
    past: groupByTime(
      [days, activatePlan(9_006, 'dearest'), confirmEmailAddress],
      [daysSinceTransfer, requestTransfer],
      // The network ends a transfer within five hours.
      [daysSinceTransfer > 0 ? `P${daysSinceTransfer - 1}DT19H` : 0, awaitFailedTransfer],
    ),
  }
}

function createRefundStory({ cheapest }: PlanRoles): CustomerStory {
  const days = daysSincePurchase(cheapest, 12)
  return {
    about: 'Refunded: has an invoice and a credit note',
    past: groupByTime(
      [days, activatePlan(9_008, 'cheapest'), confirmEmailAddress],
      [Math.floor(days / 4), refundFirstOrder],
    ),
  }
}

type PlanLength = { length_days: number }

/** How many days ago a story bought its plan: `days`, or fewer if more than half of the plan would be over by now. */
const daysSincePurchase = ({ length_days: length }: PlanLength, days: number): number =>
  Math.min(days, Math.floor(length / 2))

/** Days since the purchase of a plan that is in its second cycle. */
const daysInSecondCycle = ({ length_days: length }: PlanLength): number =>
  cycleLengthDays + Math.min(10, Math.floor((length - cycleLengthDays) / 2))

/** Groups steps by the time since they happened. Keeps the order of the arguments. */
const groupByTime = (...moments: [ago: string | number, ...steps: StoryStep[]][]): TimedSteps[] =>
  [...Map.groupBy(moments, ([ago]) => (typeof ago === 'number' ? `P${ago}D` : ago))].map(([ago, together]) => ({
    ago,
    steps: together.flatMap(([, ...steps]) => steps),
  }))
