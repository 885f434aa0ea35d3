import { answerParent } from '../world/child.ts'
import { play } from './play.ts'

// The load generator, in a separate process.
answerParent(play)
