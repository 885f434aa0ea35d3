import type { Upkeep } from '#kit/server/sweeps.ts'
import { updateMessageTasks } from './message-tasks.ts'
import { mailNewTasks } from './mail-new-tasks.ts'
import type { OperatorTasksDeps } from './operator-tasks.deps.ts'

export const operatorTasksUpkeep = (deps: OperatorTasksDeps): Upkeep[] => [
  { name: 'operator-tasks.messages', everyMs: deps.thresholds.lookMs, run: () => updateMessageTasks(deps) },
  { name: 'operator-tasks.mail', everyMs: deps.thresholds.lookMs, run: () => mailNewTasks(deps) },
]
