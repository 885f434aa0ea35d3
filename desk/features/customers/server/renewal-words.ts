import type { Failure } from '#features/auto-renewal/server/auto-renewal.store.ts'

const words: Readonly<Record<Failure, (card: string) => string>> = {
  'no-card': () => 'There was no card to charge',
  'card-expired': (card) => `${card} has expired`,
  'no-funds': (card) => `Not enough money on ${card}`,
  refused: (card) => `The bank of ${card} said no`,
  unconfirmed: () => 'The gateway did not confirm the payment, so it was cancelled',
  network: () => 'The network could not add the plan, and nothing was taken',
  missed: () => 'The plan ended before it was charged',
  withdrawn: () => 'What follows the plan is not sold any more',
}

export const failureWords = (failure: Failure, card: string | null): string => words[failure](card ?? 'the saved card')

/** Whether the last automatic renewal was tried and failed. A missed or withdrawn renewal was never tried. */
export const isFailing = (failure: Failure | null): boolean =>
  failure !== null && failure !== 'missed' && failure !== 'withdrawn'
