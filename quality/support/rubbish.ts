import { faultsWhenQuiet } from './reconciliation.ts'
import type { World } from './world.ts'

/** What two cards in a row that nobody can open make of themselves (decision 71): anybody can send us rubbish, and no more comes of it. */
const ofRubbish =
  /^the operator is to look at: the card gateway refuses our calls for a fault of ours: authorise with a new card, (170|171|17[345]|186) /

/** What the books get wrong once nothing moves, but for the task that rubbish in the place of cards is known to leave. */
export const faultsBesideRubbish = async (world: World): Promise<string[]> =>
  (await faultsWhenQuiet(world)).filter((fault) => !ofRubbish.test(fault))
