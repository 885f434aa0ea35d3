import type { Call } from '../load/play.ts'
import type { Subject } from '../load/rounds.ts'
import type { BenchCustomer } from '../world/customers.ts'
import { type Child, startChild } from '../world/child.ts'
import type { Place } from '../world/world.ts'
import { inOne, inRows, type Statement } from './fewest.ts'
import type { FloorWish, Kept } from './floor-process.ts'
import type { Heard, HeardRead } from './listen.ts'
import { isSignedIn, type Read } from './reads.ts'
import type { RenderedPage, RenderWish } from './render-process.ts'

/**
 * References for the product, each in a separate process: the same statements over bare `node:http`; one prepared statement with the same
 * rows; the answer without any statement; and, for pages, React alone.
 */
export const floorNames = ['same', 'fewest', 'nothing', 'react'] as const
export type FloorName = (typeof floorNames)[number]

export type Floors = {
  of(heard: HeardRead): Subject[]
  end(): Promise<void>
}

type Floor = { port: number; pid: number | null }

const pathOf = ({ name }: Read, at: number): string => `/${encodeURIComponent(name)}/${at}`

type Around = { places: Record<'same' | 'fewest', Place>; origin: string }

export async function startFloors(
  { places, origin }: Around,
  heard: readonly HeardRead[],
  customers: readonly BenchCustomer[],
): Promise<Floors> {
  const children: Child<never, number>[] = []
  const start = async <Wish>(file: string, wish: Wish): Promise<Floor> => {
    const child = startChild<Wish, number>(file)
    children.push(child as Child<never, number>)
    return { port: await child.ask(wish), pid: child.pid }
  }
  const serve = (name: FloorName, rowsOf: (one: Heard) => Statement[][] | null): Promise<Floor> =>
    start<FloorWish>('server/floor-process.ts', {
      place: name === 'same' || name === 'fewest' ? places[name] : null,
      paths: keptOf(heard, rowsOf),
    })
  const floors: Record<FloorName, Floor> = {
    same: await serve('same', ({ trips }) => inRows(trips)),
    fewest: await serve('fewest', ({ trips }) => {
      const one = inOne(trips)
      return one && [[one]]
    }),
    nothing: await serve('nothing', () => []),
    react: await start<RenderWish>('server/render-process.ts', { origin, pages: pagesOf(heard, customers) }),
  }
  return {
    of: (each) => namesFor(each).map((name) => ({ name, ...floors[name], calls: callsOf(each) })),
    end: async () => void (await Promise.all(children.map((child) => child.end()))),
  }
}

function namesFor({ read, statements, of }: HeardRead): FloorName[] {
  const asks: FloorName[] = statements === 0 ? [] : ['same', ...(inOne(of[0]?.trips ?? []) ? ['fewest' as const] : [])]
  return [...asks, read.isPage ? 'react' : 'nothing']
}

const callsOf = ({ read, of }: HeardRead): Call[] => of.map((_, at) => ({ path: pathOf(read, at) }))

function keptOf(heard: readonly HeardRead[], rowsOf: (one: Heard) => Statement[][] | null): Record<string, Kept> {
  return Object.fromEntries(
    heard.flatMap(({ read, of }) =>
      of.map((one, at): [string, Kept] => {
        const { body, type } = one
        return [pathOf(read, at), { rows: rowsOf(one) ?? [], body, type }]
      }),
    ),
  )
}

function pagesOf(heard: readonly HeardRead[], customers: readonly BenchCustomer[]): Record<string, RenderedPage> {
  return Object.fromEntries(
    heard
      .filter(({ read }) => read.isPage)
      .flatMap(({ read, of }) =>
        of.map(({ body: html }, at): [string, RenderedPage] => {
          const customer = customers[at]
          if (!customer) throw new Error('a page is nobody’s')
          const cookie = isSignedIn(read) ? customer.cookie : ''
          return [pathOf(read, at), { url: read.path(customer), cookie, html }]
        }),
      ),
  )
}
