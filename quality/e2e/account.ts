import type { BrowserContext, Locator, Page } from 'playwright-core'
import type { Customer } from '#quality/support/customer.ts'
import { until } from '#quality/support/until.ts'
import { cookieNameAt } from '#quality/support/visitor.ts'
import type { World } from '#quality/support/world.ts'
import type { ContextOptions, Portal, Size } from './portal.ts'
import { heading } from './wizard.ts'

/** Any field, passwords too. */
export const labelled = (page: Page, name: string) => page.getByLabel(name, { exact: true })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const link = (page: Page | Locator, name: string | RegExp) => page.getByRole('link', { name, exact: true })

/** Waits until the page says this. */
export const reads = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()

/** The dashboard of a customer by this name. */
export const dashboard = (page: Page, name = 'Ana'): Promise<void> => heading(page, `Welcome, ${name}`)

/** Fills a field and leaves it, which is when it is checked. */
export async function enter(page: Page, name: string, text: string): Promise<void> {
  await labelled(page, name).fill(text)
  await labelled(page, name).blur()
}

/** Waits until the address bar shows this path and search. */
export const arriveAt = (page: Page, place: string): Promise<void> =>
  page.waitForURL((url) => url.pathname + url.search === place)

/** Sends the login form that is open, or on its way: the page before it may ask for an address, too. */
export async function logIn(page: Page, { email, password }: Pick<Customer, 'email' | 'password'>): Promise<void> {
  await button(page, 'LOG IN').waitFor()
  await labelled(page, 'Email').fill(email)
  await labelled(page, 'Password').fill(password)
  await button(page, 'LOG IN').click()
}

/** Gives a browser the session in which this customer is signed in over HTTP. */
export async function signIn(
  context: BrowserContext,
  { visitor }: Pick<Customer, 'visitor'>,
  url: string,
): Promise<void> {
  await context.addCookies(
    ['fantail', 'csrftoken'].map((name) => ({ name: cookieNameAt(url, name), value: visitor.cookie(name) ?? '', url })),
  )
}

/** A page of a browser in which this customer is signed in. */
export async function openAs(
  portal: Portal,
  size: Size,
  customer: Pick<Customer, 'visitor'>,
  options: ContextOptions = {},
): Promise<Page> {
  const page = await portal.open(size, options)
  await signIn(page.context(), customer, portal.world().url)
  return page
}

/** The link to this page in the newest mail to an address that has one and that is none of those known already. */
export const mailedLink = (world: World, email: string, path: string, known: string[] = []): Promise<string> =>
  until(async () =>
    (await world.mailTo(email)).flatMap(({ links }) => links).find((url) => url.includes(path) && !known.includes(url)),
  )
