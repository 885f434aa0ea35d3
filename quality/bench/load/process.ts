import { answerParentProcess } from '../world/child-process.ts'
import { runLoad } from './run-load.ts'

answerParentProcess(runLoad)
