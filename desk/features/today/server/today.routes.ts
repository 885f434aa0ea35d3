import { realNow } from '#kit/server/clock.ts'
import { taskKinds } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  endTask,
  handBackTask as handBackCall,
  listTasks as listCall,
  readToday,
  takeTask as takeCall,
  takeTasks as takeTasksCall,
} from '../today.contract.ts'
import { createFiguresReader, type CurrentFiguresDeps } from './figures.ts'
import { readProviderStates } from './provider-states.view.ts'
import { finishTask, handBackTask, takeTask, takeTasks } from './tasks.ts'
import { countTasksByKind, listTasks, truncateTasks } from './tasks.view.ts'
import { presentTodayFigures, presentProvider, presentTask, presentTaskCount } from './today.present.ts'

export type TodayDeps = CurrentFiguresDeps

const anyStaff = { who: 'staff' } as const

export function todayRoutes(deps: TodayDeps): DeskRoute[] {
  // The reader is created on the first request, because the routes are also listed without dependencies such as a database.
  let figures: ReturnType<typeof createFiguresReader> | undefined
  return [
    deskRoute(readToday, anyStaff, async ({ staff }) => {
      const { zone } = deps.market
      figures ??= createFiguresReader(deps)
      return {
        figures: presentTodayFigures(await figures(), zone, staff.roles.includes('finance')),
        runs: (await readProviderStates(deps)).map(presentProvider),
        runs_at: realNow().toString({ smallestUnit: 'second' }),
      }
    }),
    deskRoute(listCall, anyStaff, async ({ staff, query: { kind } }) => {
      const listedKind = taskKinds.find((known) => known === kind)
      const { rows, hasMore } = truncateTasks(await listTasks(deps.db, { isLead: staff.isLead, kind: listedKind }))
      return {
        tasks: rows.map((task) => presentTask(task, staff)),
        has_more: hasMore,
        kinds: (await countTasksByKind(deps.db, staff)).map(presentTaskCount),
      }
    }),
    deskRoute(takeTasksCall, anyStaff, ({ staff, body }) => takeTasks(deps, staff, body.ids)),
    deskRoute(takeCall, anyStaff, async ({ staff, params }) => {
      await takeTask(deps, staff, params.id)
      return {}
    }),
    deskRoute(handBackCall, anyStaff, async ({ staff, params }) => {
      await handBackTask(deps, staff, params.id)
      return {}
    }),
    deskRoute(endTask, anyStaff, async ({ staff, params, body }) => {
      await finishTask(deps, staff, params.id, body.note)
      return {}
    }),
  ]
}
