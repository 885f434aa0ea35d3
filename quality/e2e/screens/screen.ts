import type { Page } from 'playwright-core'
import type { Customer } from '#quality/support/customer.ts'
import type { World } from '#quality/support/world.ts'
import { addSessionCookies } from '../account.ts'
import { type Look, toViewport } from '../inspect-page.ts'
import type { ContextOptions, Portal } from '../use-portal.ts'
import { waitUntilIdle, trackRequests } from './page-calls.ts'
import { resizePage } from '../resize-page.ts'

export type Screen = {
  /** The screen's name. It must be unique within its area, because it is part of the screenshots' file names. */
  name: string
  at: string
  leadsTo?: string
  /** Opens the screen once. The page then stays open while it is checked at every size. */
  open(stage: Stage): Promise<Page>
  widths?: readonly Look['width'][]
  exempt?: readonly string[]
  /** Whether the screen needs its own browser context, because it makes a lasting change. */
  alone?: true
  print?: true
}

/** Loading pages are exempt from this accessibility rule, because they have no heading yet. */
export const headingRule = 'page-has-heading-one'

/** The visitor whose session the browser uses; null for a new visitor. */
type Who = Pick<Customer, 'visitor'> | null

export type Stage = {
  world: World
  enter(who?: Who): Promise<Page>
  visit(path: string, who?: Who): Promise<Page>
}

export function createStage(
  portal: Portal,
  { widths: [width = 1280] = [], alone }: Pick<Screen, 'widths' | 'alone'> = {},
  context?: ContextOptions,
): Stage {
  async function enter(who: Who = null): Promise<Page> {
    const page = await (alone || context ? portal.open('desktop', context) : portal.reopen())
    if (who) await addSessionCookies(page.context(), who, portal.world().url)
    if (!context?.viewport) await resizePage(page, toViewport(width))
    trackRequests(page)
    return page
  }
  return {
    world: portal.world(),
    enter,
    async visit(path, who = null) {
      const page = await enter(who)
      await page.goto(path)
      await waitUntilIdle(page)
      return page
    },
  }
}

/** Creates a fixture once per test world, for all screens that need it. */
export function once<T>(make: (world: World) => Promise<T>): (stage: Pick<Stage, 'world'>) => Promise<T> {
  const made = new WeakMap<World, Promise<T>>()
  return ({ world }) => {
    const known = made.get(world) ?? make(world)
    made.set(world, known)
    return known
  }
}
