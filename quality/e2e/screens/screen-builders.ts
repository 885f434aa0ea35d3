import type { Page } from 'playwright-core'
import type { Customer, CustomerService } from '#quality/support/customer.ts'
import { go, waitUntilIdle } from './page-calls.ts'
import { createNoOwner, voucher } from './people.ts'
import type { Screen, Stage } from './screen.ts'

// Functions that build a screen. In a path, `U` stands for the owner's service, `R` for its schedule, and `V` for a valid voucher.

export type Owner = (Pick<Customer, 'visitor'> & { service?: CustomerService }) | null
export type OwnerFactory<T extends Owner> = (stage: Stage) => Promise<T>
type PageAction<T extends Owner> = (page: Page, owner: T, stage: Stage) => Promise<unknown>

export const openedScreen = <T extends Owner>(
  name: string,
  path: string,
  ownerOf: OwnerFactory<T>,
  act?: PageAction<T>,
): Screen =>
  screenFromLink(name, getPagePattern(path), ownerOf, { link: (owner, stage) => fillPath(path, owner, stage), act })

export const anonymousScreen = (name: string, path: string, act?: PageAction<null>): Screen =>
  openedScreen(name, path, createNoOwner, act)

export const screenFromLink = <T extends Owner>(
  name: string,
  at: string,
  ownerOf: OwnerFactory<T>,
  { link, act }: { link: (owner: T, stage: Stage) => Promise<string>; act?: PageAction<T> | undefined },
): Screen =>
  buildScreen(name, at, ownerOf, {
    arrive: async (owner, stage) => stage.visit(await link(owner, stage), owner),
    act,
  })

type PreparedScreen<T extends Owner> = { prepare: PageAction<T>; act?: PageAction<T> }

export const preparedScreen = <T extends Owner>(
  name: string,
  path: string,
  ownerOf: OwnerFactory<T>,
  { prepare, act }: PreparedScreen<T>,
): Screen =>
  buildScreen(name, getPagePattern(path), ownerOf, {
    async arrive(owner, stage) {
      const page = await stage.enter(owner)
      await prepare(page, owner, stage)
      await page.goto(await fillPath(path, owner, stage))
      await waitUntilIdle(page)
      return page
    },
    act,
  })

/**
 * A portal screen that is reached from another page. Its data comes from API responses, which a test can change, rather than from the
 * server's HTML.
 */
export const screenByNavigation = <T extends Owner>(
  name: string,
  path: string,
  ownerOf: OwnerFactory<T>,
  { prepare, act }: PreparedScreen<T>,
): Screen =>
  buildScreen(name, getPagePattern(path), ownerOf, {
    async arrive(owner, stage) {
      const page = await stage.visit(owner ? '/account/change-password/' : '/login/', owner)
      await prepare(page, owner, stage)
      await go(page, await fillPath(path, owner, stage))
      await waitUntilIdle(page)
      return page
    },
    act,
  })

const buildScreen = <T extends Owner>(
  name: string,
  at: string,
  ownerOf: OwnerFactory<T>,
  { arrive, act }: { arrive: (owner: T, stage: Stage) => Promise<Page>; act: PageAction<T> | undefined },
): Screen => ({
  name,
  at,
  async open(stage) {
    const owner = await ownerOf(stage)
    const page = await arrive(owner, stage)
    await act?.(page, owner, stage)
    return page
  },
})

/** Converts a screen's path so that it matches an entry in the table of pages, in which the id of a schedule starts with a digit. */
const getPagePattern = (path: string): string => path.replace(/\?.*/, '').replace('/R/', '/1R/')

async function fillPath(path: string, owner: Owner, stage: Stage): Promise<string> {
  const { id = 'U', shortId = 'R' } = owner?.service ?? {}
  const code = path.includes('/V/') ? await voucher(stage) : 'V'
  return path.replace('/U/', `/${id}/`).replace('/R/', `/${shortId}/`).replace('/V/', `/${code}/`)
}
