import { serveParent } from '../world/child-process.ts'
import { play } from './play-load.ts'

serveParent(play)
