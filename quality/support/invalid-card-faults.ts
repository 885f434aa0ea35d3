import { faultsWhenQuiet } from './reconciliation.ts'
import type { World } from './world.ts'

/** The task that two unreadable cards in a row leave (decision 71). Anybody can send us rubbish, and there must be no other effect. */
const invalidCardFault =
  /^the operator is to look at: the card gateway rejects our requests, .+: authorise with a new card, (170|171|17[345]|186) /

export const faultsExceptInvalidCards = async (world: World): Promise<string[]> =>
  (await faultsWhenQuiet(world)).filter((fault) => !invalidCardFault.test(fault))
