import type { Call } from '../load/run-load.ts'
import type { ReadTarget } from '../load/compare-reads.ts'
import type { BenchCustomer } from '../world/customers.ts'
import { type Child, startChild } from '../world/child-process.ts'
import type { Place } from '../world/world.ts'
import { combineStatements, groupByDepth, type Statement } from './combine-statements.ts'
import type { BaselineRequest, Kept } from './baseline-process.ts'
import type { RecordedRequest, RecordedRead } from './record-reads.ts'
import { isSignedIn, type Read } from './reads.ts'
import type { RenderedPage, RenderRequest } from './render-process.ts'

/**
 * Reference servers to compare Fantail with, each in a separate process. `same` runs the same statements behind bare `node:http`; `fewest`
 * runs one prepared statement that returns the same rows; `nothing` responds without running any statement; and `react`, for pages, only
 * renders with React.
 */
export const baselineNames = ['same', 'fewest', 'nothing', 'react'] as const
export type BaselineName = (typeof baselineNames)[number]

export type BaselineServers = {
  of(heard: RecordedRead): ReadTarget[]
  end(): Promise<void>
}

type Floor = { port: number; pid: number | null }

const buildReadPath = ({ name }: Read, at: number): string => `/${encodeURIComponent(name)}/${at}`

type BaselineOptions = { places: Record<'same' | 'fewest', Place>; origin: string }

export async function startBaselines(
  { places, origin }: BaselineOptions,
  heard: readonly RecordedRead[],
  customers: readonly BenchCustomer[],
): Promise<BaselineServers> {
  const children: Child<never, number>[] = []
  const start = async <Wish>(file: string, wish: Wish): Promise<Floor> => {
    const child = startChild<Wish, number>(file)
    children.push(child as Child<never, number>)
    return { port: await child.ask(wish), pid: child.pid }
  }
  const serve = (name: BaselineName, rowsOf: (one: RecordedRequest) => Statement[][] | null): Promise<Floor> =>
    start<BaselineRequest>('server/baseline-process.ts', {
      place: name === 'same' || name === 'fewest' ? places[name] : null,
      paths: buildResponsesByPath(heard, rowsOf),
    })
  const baselineServers: Record<BaselineName, Floor> = {
    same: await serve('same', ({ trips }) => groupByDepth(trips)),
    fewest: await serve('fewest', ({ trips }) => {
      const one = combineStatements(trips)
      return one && [[one]]
    }),
    nothing: await serve('nothing', () => []),
    react: await start<RenderRequest>('server/render-process.ts', {
      origin,
      pages: buildPagesByPath(heard, customers),
    }),
  }
  return {
    of: (each) => chooseBaselines(each).map((name) => ({ name, ...baselineServers[name], calls: buildCalls(each) })),
    end: async () => void (await Promise.all(children.map((child) => child.end()))),
  }
}

function chooseBaselines({ read, statements, of }: RecordedRead): BaselineName[] {
  const asks: BaselineName[] =
    statements === 0 ? [] : ['same', ...(combineStatements(of[0]?.trips ?? []) ? ['fewest' as const] : [])]
  return [...asks, read.isPage ? 'react' : 'nothing']
}

const buildCalls = ({ read, of }: RecordedRead): Call[] => of.map((_, at) => ({ path: buildReadPath(read, at) }))

function buildResponsesByPath(
  heard: readonly RecordedRead[],
  rowsOf: (one: RecordedRequest) => Statement[][] | null,
): Record<string, Kept> {
  return Object.fromEntries(
    heard.flatMap(({ read, of }) =>
      of.map((one, at): [string, Kept] => {
        const { body, type } = one
        return [buildReadPath(read, at), { rows: rowsOf(one) ?? [], body, type }]
      }),
    ),
  )
}

function buildPagesByPath(
  heard: readonly RecordedRead[],
  customers: readonly BenchCustomer[],
): Record<string, RenderedPage> {
  return Object.fromEntries(
    heard
      .filter(({ read }) => read.isPage)
      .flatMap(({ read, of }) =>
        of.map(({ body: html }, at): [string, RenderedPage] => {
          const customer = customers[at]
          if (!customer) throw new Error('a page is nobody’s')
          const cookie = isSignedIn(read) ? customer.cookie : ''
          return [buildReadPath(read, at), { url: read.path(customer), cookie, html }]
        }),
      ),
  )
}
