import type { Page } from 'playwright-core'
import type { Customer } from '#quality/support/customer.ts'
import type { World } from '#quality/support/world.ts'
import { submitLogin } from '../account.ts'
import { type Look, viewportOf } from '../inspect-page.ts'
import type { ContextOptions, Portal } from '../use-portal.ts'
import { waitUntilIdle, watchCalls } from './page-calls.ts'
import { resizePage } from '../resize-page.ts'

export type Screen = {
  /** Unique within its area, and part of the names of its pictures. */
  name: string
  at: string
  leadsTo?: string
  /** Opens the screen once. It is then checked in every size. */
  open(stage: Stage): Promise<Page>
  widths?: readonly Look['width'][]
  exempt?: readonly string[]
  /** Needs a browser of its own, because it changes something that lasts. */
  alone?: true
  print?: true
}

/** A page that is still loading has no heading. */
export const headingRule = 'page-has-heading-one'

/** The session of a visitor over HTTP; null for a new visitor. */
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
    if (who) await submitLogin(page.context(), who, portal.world().url)
    if (!context?.viewport) await resizePage(page, viewportOf(width))
    watchCalls(page)
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

/** Makes something once per world for all screens that need it. */
export function once<T>(make: (world: World) => Promise<T>): (stage: Pick<Stage, 'world'>) => Promise<T> {
  const made = new WeakMap<World, Promise<T>>()
  return ({ world }) => {
    const known = made.get(world) ?? make(world)
    made.set(world, known)
    return known
  }
}
