import { realNow } from '#kit/server/clock.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  endTask,
  handBackTask as handBackCall,
  listTasks as listCall,
  readToday,
  takeTask as takeCall,
} from '../today.contract.ts'
import { keepFigures, type PresentDeps } from './figures.ts'
import { readRuns } from './runs.view.ts'
import { finishTask, handBackTask, takeTask } from './tasks.ts'
import { listTasks, pageOfTasks } from './tasks.view.ts'
import { presentFigures, presentRun, presentTask } from './today.present.ts'

export type TodayDeps = PresentDeps

const everybody = { who: 'staff' } as const

export function todayRoutes(deps: TodayDeps): DeskRoute[] {
  // Created at the first call, because the table of routes is also read without a running product.
  let figures: ReturnType<typeof keepFigures> | undefined
  return [
    deskRoute(readToday, everybody, async ({ staff }) => {
      const { zone } = deps.market
      figures ??= keepFigures(deps)
      return {
        figures: presentFigures(await figures(), zone, staff.roles.includes('finance')),
        runs: (await readRuns(deps)).map(presentRun),
        runs_at: realNow().toString({ smallestUnit: 'second' }),
      }
    }),
    deskRoute(listCall, everybody, async ({ staff }) => {
      const { rows, hasMore } = pageOfTasks(await listTasks(deps.db, staff))
      return { tasks: rows.map((task) => presentTask(task, staff)), has_more: hasMore }
    }),
    deskRoute(takeCall, everybody, async ({ staff, params }) => {
      await takeTask(deps, staff, params.id)
      return {}
    }),
    deskRoute(handBackCall, everybody, async ({ staff, params }) => {
      await handBackTask(deps, staff, params.id)
      return {}
    }),
    deskRoute(endTask, everybody, async ({ staff, params, body }) => {
      await finishTask(deps, staff, params.id, body.note)
      return {}
    }),
  ]
}
