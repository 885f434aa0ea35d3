import type { ComponentType } from 'react'
import type { Found, PageEntry, PageNeeds, PageProps } from '../page.ts'

type Page = Pick<Found['page'], 'load' | 'needs'>

type Loader<T> = () => Promise<T>

const loaded = new WeakMap<Loader<unknown>, unknown>()

async function load<T>(loader: Loader<T>): Promise<void> {
  if (!loaded.has(loader)) loaded.set(loader, await loader())
}

const nothing: PageNeeds = {}

/** Fetches a page's code, once. */
export async function loadPage(page: Page): Promise<void> {
  await Promise.all([load(page.load), loadNeeds(page)])
}

/** Fetches what says which data a page needs. */
export async function loadNeeds({ needs }: Page): Promise<void> {
  if (needs) await load(needs)
}

/** The page's component if its code is there, so that it renders without a wait. */
export function loadedPage({ load }: Page): ComponentType<PageProps> | undefined {
  return (loaded.get(load) as Awaited<ReturnType<PageEntry['load']>> | undefined)?.default
}

/** What the page needs, if that is known already. */
export function loadedNeeds({ needs }: Page): PageNeeds | undefined {
  return needs ? (loaded.get(needs) as PageNeeds | undefined) : nothing
}

const key = 'reloaded-at'

/**
 * Reloads the whole page after a chunk could not be fetched: after a deployment the old ones are gone, the server names
 * the new. False when that was tried just now and did not help, and without a connection: then the browser's own error
 * page would come.
 */
export function reloadOnce(): boolean {
  if (!navigator.onLine) return false
  const last = Number(sessionStorage.getItem(key))
  if (Date.now() - last < 10_000) return false
  sessionStorage.setItem(key, String(Date.now()))
  location.reload()
  return true
}
