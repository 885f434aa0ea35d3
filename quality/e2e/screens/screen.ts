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
  /** Its own in its area; its pictures bear it. */
  name: string
  /** Where it is: an address that has the same entry in the table of pages. */
  at: string
  /** Where that leads, when it is no page that stays. */
  leadsTo?: string
  /** Brings the screen about, once; it is then looked at in every size. */
  open(stage: Stage): Promise<Page>
  /** The only widths at which it exists; all of them unless said. */
  widths?: readonly Look['width'][]
  /** Rules of axe that do not bind it. */
  exempt?: readonly string[]
  /** In a browser of its own: it changes what lasts. */
  alone?: true
  /** On paper instead of on a screen. */
  print?: true
}

/** What is still on its way has no heading yet. */
export const headless = 'page-has-heading-one'

/** Who looks: the session of a visitor over HTTP; null for a new visitor. */
type Who = Pick<Customer, 'visitor'> | null

export type Stage = {
  world: World
  /** A new browser page, on which nothing has been opened yet. */
  enter(who?: Who): Promise<Page>
  /** The same on an address, with all there that is not held back. */
  visit(path: string, who?: Who): Promise<Page>
}

/** Where a screen is brought about: on a desktop, unless it knows better, or in a browser of its own when it is to be like `context`. */
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

/** Makes something once for all screens that need it; each world has its own. */
export function once<T>(make: (world: World) => Promise<T>): (stage: Pick<Stage, 'world'>) => Promise<T> {
  const made = new WeakMap<World, Promise<T>>()
  return ({ world }) => {
    const known = made.get(world) ?? make(world)
    made.set(world, known)
    return known
  }
}
