import { faultsWhenQuiet } from './reconciliation.ts'
import type { World } from './world.ts'

/**
 * Matches the task that is created after two unreadable cards in a row (decision 0106). Anybody can send unreadable cards, which must not
 * have any other effect.
 */
const invalidCardFault =
  /^the operator is to look at: the card gateway rejects our requests, .+: authorise with a new card, (170|171|17[345]|186) /

export const faultsExceptInvalidCards = async (world: World): Promise<string[]> =>
  (await faultsWhenQuiet(world)).filter((fault) => !invalidCardFault.test(fault))
