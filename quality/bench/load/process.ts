import { answerParent } from '../world/child.ts'
import { play } from './play.ts'

answerParent(play)
