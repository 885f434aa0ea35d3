import { serveParent } from '../world/child-process.ts'
import { runLoad } from './run-load.ts'

serveParent(runLoad)
