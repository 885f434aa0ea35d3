import type { Page } from 'playwright-core'
import type { Customer } from '#quality/support/customer.ts'
import type { World } from '#quality/support/world.ts'
import { signIn } from '../account.ts'
import { type Look, viewportOf } from '../inspect.ts'
import type { ContextOptions, Portal } from '../portal.ts'
import { untilQuiet, watchCalls } from './calls.ts'
import { resize } from '../resize.ts'

/** One page of the portal in one of its states. */
export type Screen = {
  /** Unique within its area, and part of the names of its pictures. */
  name: string
  /** An address that has the same entry in the table of pages. */
  at: string
  /** The address to which it redirects, if it does. */
  leadsTo?: string
  /** Opens the screen once. It is then checked in every size. */
  open(stage: Stage): Promise<Page>
  /** The only widths at which it exists; all widths by default. */
  widths?: readonly Look['width'][]
  /** Rules of axe that do not apply to it. */
  exempt?: readonly string[]
  /** Needs a browser of its own, because it changes something that lasts. */
  alone?: true
  /** Printed on paper instead of shown on a screen. */
  print?: true
}

/** A page that is still loading has no heading. */
export const headless = 'page-has-heading-one'

/** The session of a visitor over HTTP; null for a new visitor. */
type Who = Pick<Customer, 'visitor'> | null

export type Stage = {
  world: World
  /** Opens a new browser page on which nothing has been loaded yet. */
  enter(who?: Who): Promise<Page>
  /** Opens an address in such a page, and waits for everything that is not held back. */
  visit(path: string, who?: Who): Promise<Page>
}

/** Where a screen is opened: on a desktop unless it exists only at other widths, or in a browser of its own with `context`. */
export function stageOf(
  portal: Portal,
  { widths: [width = 1280] = [], alone }: Pick<Screen, 'widths' | 'alone'> = {},
  context?: ContextOptions,
): Stage {
  async function enter(who: Who = null): Promise<Page> {
    const page = await (alone || context ? portal.open('desktop', context) : portal.reopen())
    if (who) await signIn(page.context(), who, portal.world().url)
    if (!context?.viewport) await resize(page, viewportOf(width))
    watchCalls(page)
    return page
  }
  return {
    world: portal.world(),
    enter,
    async visit(path, who = null) {
      const page = await enter(who)
      await page.goto(path)
      await untilQuiet(page)
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
