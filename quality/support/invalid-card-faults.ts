import { findFaultsWhenIdle } from './reconciliation.ts'
import type { World } from './world.ts'

/**
 * Matches the task that is created when card details cannot be decrypted twice in a row (decision 0106). Anybody can submit such details,
 * so they must have no other effect.
 */
const invalidCardFaultPattern =
  /^the operator is to look at: the card gateway rejects our requests, .+: authorise with a new card, (170|171|17[345]|186) /

export const findFaultsExceptInvalidCards = async (world: World): Promise<string[]> =>
  (await findFaultsWhenIdle(world)).filter((fault) => !invalidCardFaultPattern.test(fault))
